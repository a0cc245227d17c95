import { IconShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { channels } from '#contract/areas/channels/channels.ts'
import { invites } from '#contract/areas/channels/invites.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { q } from '#src/api/query.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { paths } from '#src/lib/paths.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { ReceivedInvites } from './shared-invites.tsx'
import { SharedOwnId } from './shared-own-id.tsx'
import styles from './sharing.module.css'

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
