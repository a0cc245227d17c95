import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { invites } from '#contract/areas/projects/invites.ts'
import type { Output } from '#contract/core/operation.ts'
import { toApiError } from '#src/api/api-error.ts'
import { call } from '#src/api/call.ts'
import { paths } from '#src/lib/paths.ts'
import { useAuth } from '#src/stores/session.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { Problem } from '#src/ui/problem.tsx'
import { Entrance } from './entrance.tsx'
import { type Account, accountOf } from './invite-account.tsx'
import { InviteAnswer } from './invite-answer.tsx'
import { dropSecret, takeSecret } from './invite-secret.ts'
import { useWhy } from './use-why.ts'

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
    void look(sessionId).then((found) => isHere && setState(found))
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

async function look(sessionId: string | null): Promise<State> {
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
