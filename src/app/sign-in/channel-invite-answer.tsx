import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { invites, type ReceivedInvite } from '#contract/areas/channels/invites.ts'
import type { projects } from '#contract/areas/projects/projects.ts'
import type { Output } from '#contract/core/operation.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { toApiError } from '#src/api/api-error.ts'
import { call } from '#src/api/call.ts'
import { formatDateTime } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Button } from '#src/ui/button.tsx'
import { Problem } from '#src/ui/problem.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { type Account, AccountNote } from './invite-account.tsx'
import { type ChannelLink, dropLink } from './channel-invite-link.ts'
import { useWhy } from './use-why.ts'
import styles from './entrance.module.css'

interface Props {
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
export function ChannelInviteAnswer({ link, invite, account, mine, onEnd }: Props) {
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
