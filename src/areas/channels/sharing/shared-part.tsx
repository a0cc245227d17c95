import { IconShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { channels } from '#contract/areas/channels/channels.ts'
import { invites, type ReceivedInvite } from '#contract/areas/channels/invites.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { q, useWrite } from '#src/api/query.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { paths } from '#src/lib/paths.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import styles from './sharing.module.css'
import { projects } from '#contract/areas/projects/projects.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { Button } from '#src/ui/button.tsx'
import { fullName, Refused } from './sharing-words.tsx'
import { CopyButton } from '#src/ui/copy-button.tsx'

/** Channels shared with this project, channels it shares, and pending invitations. */
export function SharedPart() {
  const { t } = useTranslation('sharing')
  const projectId = Number(useParams()['projectId'])
  const received = useQuery(q(invites.received, { project_id: projectId }))
  const available = useQuery(q(channels.search, { project_id: projectId, type: 'available', limit: 100 }))
  const own = useQuery(q(channels.search, { project_id: projectId, type: 'my', limit: 100 }))
  return (
    <div className={styles.part}>
      {(received.error ?? (received.data && received.data.results.length > 0)) && (
        <Card title={t('tab.invites')}>
          <QueryPart query={received} failed={t('tab.invitesFailed')} skeleton={null}>
            {({ results }) => <ReceivedInvites projectId={projectId} invites={results} />}
          </QueryPart>
        </Card>
      )}
      <Card title={t('tab.withUs')} note={t('tab.withUsNote')}>
        <QueryPart query={available} failed={t('tab.failed')} skeleton={<Skeleton height={58} />}>
          {({ results }) =>
            results.length === 0 ? (
              <EmptyState icon={<IconShare size={26} />} title={t('tab.nothing')}>
                {t('tab.nothingText')}
              </EmptyState>
            ) : (
              <List projectId={projectId} channels={results} />
            )
          }
        </QueryPart>
        <SharedOwnId projectId={projectId} />
        <HelpLinkLater article="team/sharing" />
      </Card>
      <Card title={t('tab.byUs')} note={t('tab.byUsNote')}>
        <QueryPart query={own} failed={t('tab.failed')} skeleton={<Skeleton height={58} />}>
          {({ results }) => {
            const given = results.filter(({ guestsNum }) => guestsNum > 0)
            if (given.length === 0) return <p className={styles.quiet}>{t('tab.byUsNone')}</p>
            return <List projectId={projectId} channels={given} />
          }}
        </QueryPart>
      </Card>
    </div>
  )
}

function List({ projectId, channels: rows }: { readonly projectId: number; readonly channels: readonly Channel[] }) {
  const { t } = useTranslation('sharing')
  return (
    <RowList>
      {rows.map((channel) => (
        <Row
          key={channel.group_id}
          lead={<PlatformIcon type={channel.type} />}
          title={<Link to={paths.channel(projectId, channel.group_id)}>{channel.name}</Link>}
          about={
            channel.guestRights === null
              ? t('tab.guests', { count: channel.guestsNum })
              : t(`accessShort.${channel.guestRights}`)
          }
          actions={channel.active && <Badge tone="ok">{t('tab.on')}</Badge>}
        />
      ))}
    </RowList>
  )
}

interface ReceivedInvitesProps {
  readonly projectId: number
  readonly invites: readonly ReceivedInvite[]
}

/** Channels that the project is invited to use. */
function ReceivedInvites({ projectId, invites: rows }: ReceivedInvitesProps) {
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

/** Project id that other projects need for an invitation. */
function SharedOwnId({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('sharing')
  const list = useQuery(q(projects.list, { limit: 100 }))
  const id = list.data?.results.find((row) => row.project_id === projectId)?.project.external_id
  if (!id) return null
  const words = { idle: t('copy.id'), copied: t('copy.copied'), refused: t('copy.refused') }
  return (
    <div className={styles.own}>
      <span className={styles.quiet}>{t('tab.ownId')}</span>
      <code>{id}</code>
      <CopyButton text={id} words={words} />
    </div>
  )
}
