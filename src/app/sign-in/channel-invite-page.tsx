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
import { type Account, AccountNote, accountOf } from './invite-account.tsx'
import { Entrance } from './entrance.tsx'
import { useWhy } from './use-why.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import styles from './entrance.module.css'

// Link to a shared channel, kept until it is answered. Its secret follows `#`, which no server receives, and is removed
// from the URL immediately: sign-in passes through other pages, and their URLs are sent.

/** Parameters of the link, as the operations name them. */
interface ChannelLink {
  readonly channel_id: number
  readonly secret: string
}

const key = 'relaydeck.channel-invite'

/** Takes the link from the URL, else the stored one; null without any. */
function takeLink(): ChannelLink | null {
  const secret = location.hash.slice(1)
  const linked = `${new URLSearchParams(location.search).get('channel') ?? ''} ${secret}`
  if (secret !== '') history.replaceState(history.state, '', paths.channelInvite())
  const [channel = '', kept = ''] = keep(secret === '' ? null : linked).split(' ')
  const channelId = Number(channel)
  return Number.isSafeInteger(channelId) && channelId > 0 && kept !== ''
    ? { channel_id: channelId, secret: kept }
    : null
}

/** Stores a link, and returns the stored one. Without access to storage only this page has it. */
function keep(linked: string | null): string {
  try {
    if (linked !== null) sessionStorage.setItem(key, linked)
    return sessionStorage.getItem(key) ?? ''
  } catch {
    return linked ?? ''
  }
}

/** Forgets the link after an answer. */
const dropLink = (): void => sessionStorage.removeItem(key)

interface ChannelInviteAnswerProps {
  readonly link: ChannelLink
  readonly invite: ReceivedInvite
  /** The signed-in account. */
  readonly account: Account
  /** Projects of the account. */
  readonly mine: Output<typeof projects.list>['results']
  readonly onEnd: (end: 'gone' | 'declined') => void
}

const nameOf = (project: { readonly name: string; readonly fename: string } | null | undefined) =>
  [project?.name, project?.fename].filter(Boolean).join(' ')

/** The invitation, the choice of a project for the channel, and the buttons to accept or decline. */
function ChannelInviteAnswer({ link, invite, account, mine, onEnd }: ChannelInviteAnswerProps) {
  const { t, i18n } = useTranslation('sharing')
  const language = useLanguage()
  const [chosen, setChosen] = useState('')
  const [busy, setBusy] = useState<'accept' | 'decline' | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const able = mine.filter(
    (row) => roleCan(row.access_type, 'editor') && row.project_id !== invite.from_project_?.user_id,
  )
  const projectId = Number(chosen) || (able[0]?.project_id ?? 0)

  const run = async (step: 'accept' | 'decline') => {
    setBusy(step)
    setFailure(null)
    const input = { ...link, project_id: projectId }
    try {
      const op = step === 'accept' ? invites.acceptForSecret : invites.declineForSecret
      await call(op, input, { sessionId: account.sessionId })
      dropLink()
      // Full reload: cached channels of the project are out of date.
      if (step === 'accept') location.assign(paths.channel(projectId, link.channel_id))
      else onEnd('declined')
    } catch (error) {
      if (toApiError(error).name === 'InviteRejected') onEnd('gone')
      setFailure(error)
    } finally {
      setBusy(null)
    }
  }
  const why = useWhy()
  const name = failure === null ? '' : toApiError(failure).name
  const isOff = busy !== null || projectId === 0
  return (
    <>
      <p>{t('link.text', { project: nameOf(invite.from_project_), channel: invite.channel_?.name ?? '' })}</p>
      <p>{t(`accessText.${invite.access_type}`)}</p>
      {able.length === 0 ? (
        <p>{t('link.noProject')}</p>
      ) : (
        <SelectField
          label={t('link.project')}
          value={String(projectId)}
          choices={able.map((row) => ({ value: String(row.project_id), label: nameOf(row.project) }))}
          onChange={setChosen}
        />
      )}
      <div role="alert">
        {failure !== null && (
          <Problem title={t('link.notDone')}>
            {i18n.exists(`sharing:refusal.${name}`) ? t(`refusal.${name}`) : why(failure)}
          </Problem>
        )}
      </div>
      <AccountNote account={account} />
      <Button isBusy={busy === 'accept'} isOff={isOff} onClick={() => void run('accept')}>
        {t('link.accept')}
      </Button>
      <Button look="quiet" isBusy={busy === 'decline'} isOff={isOff} onClick={() => void run('decline')}>
        {t('link.decline')}
      </Button>
      <p className={styles.quiet}>{t('link.until', { date: formatDateTime(invite.date_expire, language) })}</p>
    </>
  )
}

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
