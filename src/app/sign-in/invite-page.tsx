import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { invites } from '#contract/areas/projects/invites.ts'
import type { Output } from '#contract/core/operation.ts'
import { toApiError } from '#src/api/api-error.ts'
import { call } from '#src/api/call.ts'
import { paths } from '#src/lib/paths.ts'
import { useAuth } from '#src/stores/session.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { Problem } from '#src/ui/problem.tsx'
import { noteSignIn } from './begin.ts'
import { Entrance } from './entrance.tsx'
import { type Account, AccountNote, accountOf } from './invite-account.tsx'
import { useWhy } from './use-why.ts'
import { roleOf } from '#contract/entities/roles.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './entrance.module.css'

// Secret of an invitation, kept until it is answered. It follows `#`, which no server receives, and is removed from the
// URL immediately: sign-in passes through other pages, and their URLs are sent.

const key = 'relaydeck.invite'
/** The invitation that is accepted with the new account, by the button that began its sign-up. */
const acceptKey = 'relaydeck.invite.accept'

/** Takes the secret from the URL, else the stored one; null without any. */
function takeSecret(): string | null {
  const secret = location.hash.slice(1)
  if (secret === '') return sessionStorage.getItem(key)
  sessionStorage.setItem(key, secret)
  sessionStorage.removeItem(acceptKey)
  history.replaceState(history.state, '', paths.invite())
  return secret
}

/** Returns once whether the sign-up that has ended was to accept this invitation. */
function takeAcceptance(secret: string): boolean {
  const isPromised = sessionStorage.getItem(acceptKey) === secret
  sessionStorage.removeItem(acceptKey)
  return isPromised
}

/** Forgets the secret after an answer. */
const dropSecret = (): void => sessionStorage.removeItem(key)

interface InviteAnswerProps {
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
function InviteAnswer({ secret, invite, account, onEnd }: InviteAnswerProps) {
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
      const { signInUrl } = await import('./sign-in-url.ts')
      sessionStorage.setItem(acceptKey, secret)
      location.assign(await signInUrl('local', noteSignIn(paths.invite()), code))
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
  const acceptNow = useEffectEvent(() => account && takeAcceptance(secret) && void run('accept'))
  // After the effect: it changes the state of the buttons.
  useEffect(() => queueMicrotask(() => acceptNow()), [])
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
          {invite.may_sign_up && buttonOf('signUp', 'filled')}
          <Button
            look={invite.may_sign_up ? 'outline' : 'filled'}
            isOff={busy !== null}
            onClick={() => void navigate(paths.signIn(paths.invite()))}
          >
            {t('signIn')}
          </Button>
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

type Invite = Output<typeof invites.getForSecret>
/** State of the page: loading, the invitation, no such invitation, or the error. */
type State =
  | { readonly is: 'waiting' | 'gone' | 'declined' }
  | { readonly is: 'failed'; readonly error: unknown }
  | { readonly is: 'open'; readonly secret: string; readonly invite: Invite; readonly account: Account | null }

/** Target of an invitation link: the inviter, the project and the role; works with and without an account. */
export function Component() {
  const { t } = useTranslation('sign-in', { keyPrefix: 'invitation' })
  const why = useWhy()
  const [state, setState] = useState<State>({ is: 'waiting' })
  const [round, setRound] = useState(0)
  const sessionId = useAuth((auth) => (auth.status === 'initializing' ? undefined : auth.sessionId))

  useEffect(() => {
    if (sessionId === undefined) return undefined
    let isHere = true
    void readAnswer(sessionId).then((found) => isHere && setState(found))
    return () => void (isHere = false)
  }, [round, sessionId])

  // Another link in the same tab changes only the part after `#`.
  useEffect(() => {
    const again = () => location.hash !== '' && setRound((last) => last + 1)
    addEventListener('hashchange', again)
    return () => removeEventListener('hashchange', again)
  }, [])

  if (state.is === 'open') {
    return (
      <Entrance title={t('title')}>
        <InviteAnswer key={state.secret} {...state} onEnd={(end) => setState({ is: end })} />
      </Entrance>
    )
  }
  const intro = { waiting: t('wait'), gone: t('goneText'), declined: t('declined'), failed: undefined }[state.is]
  return (
    <Entrance title={t(state.is === 'gone' ? 'gone' : 'title')} intro={intro}>
      {state.is === 'failed' && (
        <>
          <Problem title={t('failed')}>{why(state.error)}</Problem>
          <Button onClick={() => setRound(round + 1)}>{t('retry')}</Button>
        </>
      )}
      {state.is !== 'waiting' && (
        <Link to={paths.root()} className={buttonClass('outline')}>
          {t('toDashboard')}
        </Link>
      )}
    </Entrance>
  )
}

async function readAnswer(sessionId: string | null): Promise<State> {
  try {
    const secret = takeSecret()
    if (secret === null) return { is: 'gone' }
    const [invite, account] = await Promise.all([
      call(invites.getForSecret, { secret }),
      sessionId === null ? null : accountOf(sessionId),
    ])
    return { is: 'open', secret, invite, account }
  } catch (error) {
    const { kind, status } = toApiError(error)
    if (kind !== 'refused' || status !== 400) return { is: 'failed', error }
    dropSecret()
    return { is: 'gone' }
  }
}
