import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { invites, type ReceivedInvite } from '#contract/areas/channels/invites.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { q, useWrite } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { Button } from '#src/ui/button.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { fullName, Refused } from './sharing-words.tsx'

interface Props {
  readonly projectId: number
  readonly invites: readonly ReceivedInvite[]
}

/** Channels that the project is invited to use. */
export function ReceivedInvites({ projectId, invites: rows }: Props) {
  const info = useQuery(q(projects.info, { project_id: projectId }))
  const mayAnswer = info.data !== undefined && roleCan(info.data.access.access_type, 'editor')
  return (
    <RowList>
      {rows.map((invite) => (
        <ReceivedRow
          key={invite.project_channel_invite_id}
          projectId={projectId}
          invite={invite}
          mayAnswer={mayAnswer}
        />
      ))}
    </RowList>
  )
}

interface RowProps {
  readonly projectId: number
  readonly invite: ReceivedInvite
  readonly mayAnswer: boolean
}

function ReceivedRow({ projectId, invite, mayAnswer }: RowProps) {
  const { t } = useTranslation('sharing')
  const { gap } = usePunctuation()
  const accept = useWrite(invites.acceptForProject)
  const decline = useWrite(invites.declineForProject)
  const place = { project_id: projectId, channel_id: invite.channel_id }
  const { channel_: channel } = invite
  const name = channel?.name ?? ''
  const isBusy = accept.isPending || decline.isPending
  const error = accept.error ?? decline.error
  return (
    <Row
      lead={channel && <PlatformIcon type={channel.type} />}
      title={name}
      about={
        <>
          {t('tab.from', { name: fullName(invite.from_project_) }) + gap + t(`access.${invite.access_type}`)}{' '}
          {t('invites.until')} <DateStamp iso={invite.date_expire} />
        </>
      }
      actions={
        mayAnswer && (
          <>
            <Button
              look="outline"
              isBusy={decline.isPending}
              isOff={isBusy}
              aria-label={t('tab.declineOf', { name })}
              onClick={() => decline.mutate(place)}
            >
              {t('tab.decline')}
            </Button>
            <Button
              isBusy={accept.isPending}
              isOff={isBusy}
              aria-label={t('tab.acceptOf', { name })}
              onClick={() => accept.mutate(place)}
            >
              {t('tab.accept')}
            </Button>
          </>
        )
      }
    >
      {error && <Refused error={error} />}
    </Row>
  )
}
