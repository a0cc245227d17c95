import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { accountKinds, type AccountPlatform, factsOf } from '#contract/platforms/platforms.ts'
import { useWrite } from '#src/api/query.ts'
import { paths } from '#src/lib/paths.ts'
import { Button } from '#src/ui/button.tsx'
import styles from './accounts.module.css'
import { Refusal } from '#src/areas/channels/refusal.tsx'
import { Checkbox } from '#src/ui/checkbox.tsx'

interface Props {
  readonly projectId: number
  readonly platform: AccountPlatform
  /** Accessible name with the platform. */
  readonly label: string
  readonly look?: 'filled' | 'outline'
  readonly isOff?: boolean
  /** Also requests the permissions of chat. Left out: the user chooses, where the platform has such permissions. */
  readonly chat?: boolean
  readonly children: ReactNode
}

/** Redirects to the platform's consent page. The platform returns to the accounts of the project. */
export function ConnectButton(props: Props) {
  const { projectId, platform, label, look = 'filled', isOff = false, chat, children } = props
  const { t } = useTranslation('platform-accounts')
  const hasChoice = chat === undefined && factsOf(accountKinds[platform].type).chatPermission === true
  const [isWithChat, setWithChat] = useState(true)
  const wanted = chat ?? (hasChoice && isWithChat)
  const connect = useWrite(platforms.connect, { onSuccess: ({ url }) => window.location.assign(url) })
  const redirect = `${window.location.origin}${paths.channels(projectId, 'accounts')}`
  return (
    <>
      <Button
        look={look}
        isBusy={connect.isPending || connect.isSuccess}
        isOff={isOff}
        aria-label={label}
        onClick={() => connect.mutate({ project_id: projectId, platform, redirect, ...(wanted && { chat: true }) })}
      >
        {children}
      </Button>
      {hasChoice && (
        <label className={styles.choice} title={t('connect.chatNote')}>
          <Checkbox
            checked={isWithChat}
            disabled={isOff}
            onChange={(event) => setWithChat(event.currentTarget.checked)}
          />
          {t('connect.chat')}
        </label>
      )}
      <div role="alert" className={styles.problem}>
        {connect.error && <Refusal projectId={projectId} error={connect.error} />}
      </div>
    </>
  )
}
