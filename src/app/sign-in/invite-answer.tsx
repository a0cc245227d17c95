import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { invites } from '#contract/areas/projects/invites.ts'
import type { Output } from '#contract/core/operation.ts'
import { roleOf } from '#contract/entities/roles.ts'
import { toApiError } from '#src/api/api-error.ts'
import { call } from '#src/api/call.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Button } from '#src/ui/button.tsx'
import { Problem } from '#src/ui/problem.tsx'
import styles from './entrance.module.css'
import { type Account, AccountNote } from './invite-account.tsx'
import { dropSecret } from './invite-secret.ts'
import { useWhy } from './use-why.ts'

interface Props {
  readonly secret: string
  readonly invite: Output<typeof invites.getForSecret>
  /** The signed-in account; null without one. */
  readonly account: Account | null
  readonly onEnd: (end: 'gone' | 'declined') => void
}

type Step = 'accept' | 'decline' | 'signUp'

const nameOf = ({ name, fename }: { readonly name: string; readonly fename: string }) =>
  [name, fename].filter(Boolean).join(' ')

/** The invitation, and the buttons to accept or decline. */
export function InviteAnswer({ secret, invite, account, onEnd }: Props) {
  const { t } = useTranslation('sign-in', { keyPrefix: 'invitation' })
  const { t: common } = useTranslation('common')
  const language = useLanguage()
  const navigate = useNavigate()
  const [busy, setBusy] = useState<Step | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const role = roleOf(invite.access_type)

  const steps: Readonly<Record<Step, () => Promise<void>>> = {
    accept: async () => {
      const { project_id } = await call(invites.accept, { secret }, { sessionId: account?.sessionId })
      dropSecret()
      // Full reload: cached projects of the user are out of date.
      location.assign(paths.home(project_id))
    },
    decline: async () => {
      await call(invites.decline, { secret })
      dropSecret()
      onEnd('declined')
    },
    signUp: async () => {
      const { code } = await call(invites.signUp, { secret })
      await navigate(`${paths.signIn(paths.invite())}&${new URLSearchParams({ invite: code })}`)
    },
  }
  const run = async (step: Step) => {
    setBusy(step)
    setFailure(null)
    try {
      await steps[step]()
    } catch (error) {
      if (toApiError(error).name === 'InviteRejected' && step !== 'signUp') onEnd('gone')
      setFailure(error)
    } finally {
      setBusy(null)
    }
  }
  const buttonOf = (step: Step, look: 'filled' | 'outline' | 'quiet') => (
    <Button look={look} isBusy={busy === step} isOff={busy !== null} onClick={() => void run(step)}>
      {t(step)}
    </Button>
  )

  return (
    <>
      <p>{t('text', { person: nameOf(invite.from_user_), project: nameOf(invite.project_) })}</p>
      <p>
        <strong>{t('role', { role: common(`role.${role}`) })}</strong>
        <br />
        {t(`may.${role}`)}
      </p>
      {failure !== null && <Why failure={failure} />}
      {account ? (
        <>
          <AccountNote account={account} />
          {buttonOf('accept', 'filled')}
        </>
      ) : (
        <>
          <Button isOff={busy !== null} onClick={() => void navigate(paths.signIn(paths.invite()))}>
            {t('signIn')}
          </Button>
          {invite.may_sign_up && buttonOf('signUp', 'outline')}
        </>
      )}
      {buttonOf('decline', 'quiet')}
      <p className={styles.quiet}>{t('until', { date: formatDateTime(invite.date_expire, language) })}</p>
    </>
  )
}

function Why({ failure }: { readonly failure: unknown }) {
  const { t } = useTranslation('sign-in', { keyPrefix: 'invitation' })
  const why = useWhy()
  const { name, data } = toApiError(failure)
  const projectId = name === 'AlreadyMember' ? Number(data['project_id']) : 0
  if (projectId > 0)
    return (
      <Problem title={t('already')}>
        <a href={paths.home(projectId)}>{t('open')}</a>
      </Problem>
    )
  return <Problem title={t('failed')}>{why(failure)}</Problem>
}
