import type { ReactNode } from 'react'
import { platforms } from '#contract/areas/channels/platforms.ts'
import type { AccountPlatform } from '#contract/entities/platform-account.ts'
import { useWrite } from '#src/api/query.ts'
import { paths } from '#src/lib/paths.ts'
import { Button } from '#src/ui/button.tsx'
import styles from '#src/areas/channels/accounts/accounts.module.css'
import { Refusal } from '#src/areas/channels/refusal.tsx'

interface Props {
  readonly projectId: number
  readonly platform: AccountPlatform
  /** Accessible name with the platform. */
  readonly label: string
  readonly look?: 'filled' | 'outline'
  readonly isOff?: boolean
  readonly children: ReactNode
}

/** Redirects to the platform's consent page. The platform returns to the accounts of the project. */
export function ConnectButton({ projectId, platform, label, look = 'filled', isOff = false, children }: Props) {
  const connect = useWrite(platforms.connect, { onSuccess: ({ url }) => window.location.assign(url) })
  const redirect = `${window.location.origin}${paths.channels(projectId, 'accounts')}`
  return (
    <>
      <Button
        look={look}
        isBusy={connect.isPending || connect.isSuccess}
        isOff={isOff}
        aria-label={label}
        onClick={() => connect.mutate({ project_id: projectId, platform, redirect })}
      >
        {children}
      </Button>
      <div role="alert" className={styles.problem}>
        {connect.error && <Refusal projectId={projectId} error={connect.error} />}
      </div>
    </>
  )
}
