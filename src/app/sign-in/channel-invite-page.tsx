import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { invites, type ReceivedInvite } from '#contract/areas/channels/invites.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import type { Output } from '#contract/core/operation.ts'
import { toApiError } from '#src/api/api-error.ts'
import { call } from '#src/api/call.ts'
import { paths } from '#src/lib/paths.ts'
import { useAuth } from '#src/stores/session.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { Problem } from '#src/ui/problem.tsx'
import { type Account, accountOf } from './invite-account.tsx'
import { ChannelInviteAnswer } from './channel-invite-answer.tsx'
import { type ChannelLink, dropLink, takeLink } from './channel-invite-link.ts'
import { Entrance } from './entrance.tsx'
import { useWhy } from './use-why.ts'

/** State of the page: loading, the invitation, no such invitation, or the error. */
type State =
  | { readonly is: 'waiting' | 'gone' | 'declined' }
  | { readonly is: 'failed'; readonly error: unknown }
  | {
      readonly is: 'open'
      readonly link: ChannelLink
      readonly invite: ReceivedInvite
      readonly account: Account
      readonly mine: Output<typeof projects.list>['results']
    }

/** Target of the link of a shared channel: the channel, its owner, and the choice of a project. */
export function Component() {
  const { t } = useTranslation('sharing', { keyPrefix: 'link' })
  const why = useWhy()
  const [state, setState] = useState<State>({ is: 'waiting' })
  const [round, setRound] = useState(0)
  const [link] = useState(takeLink)
  const { status, sessionId } = useAuth()

  useEffect(() => {
    if (sessionId === null || !link) return undefined
    let isHere = true
    void look(link, sessionId).then((found) => isHere && setState(found))
    return () => void (isHere = false)
  }, [link, sessionId, round])

  if (link && status === 'unauthenticated') {
    return (
      <Entrance title={t('title')} intro={t('signInText')}>
        <Link to={paths.signIn(paths.channelInvite())} className={buttonClass()}>
          {t('signIn')}
        </Link>
      </Entrance>
    )
  }
  if (state.is === 'open') {
    return (
      <Entrance title={t('title')}>
        <ChannelInviteAnswer {...state} onEnd={(end) => setState({ is: end })} />
      </Entrance>
    )
  }
  const is = link ? state.is : 'gone'
  const intro = { waiting: t('wait'), gone: t('goneText'), declined: t('declined'), failed: undefined }[is]
  return (
    <Entrance title={t(is === 'gone' ? 'gone' : 'title')} intro={intro}>
      {state.is === 'failed' && (
        <>
          <Problem title={t('failed')}>{why(state.error)}</Problem>
          <Button onClick={() => setRound(round + 1)}>{t('retry')}</Button>
        </>
      )}
      {is !== 'waiting' && (
        <Link to={paths.root()} className={buttonClass('outline')}>
          {t('toDashboard')}
        </Link>
      )}
    </Entrance>
  )
}

async function look(link: ChannelLink, sessionId: string): Promise<State> {
  try {
    const [invite, { results }, account] = await Promise.all([
      call(invites.getForSecret, link, { sessionId }),
      call(projects.list, { limit: 100 }, { sessionId }),
      accountOf(sessionId),
    ])
    return { is: 'open', link, invite, account, mine: results }
  } catch (error) {
    const { kind, status } = toApiError(error)
    if (kind !== 'refused' || status !== 400) return { is: 'failed', error }
    dropLink()
    return { is: 'gone' }
  }
}
