import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { q } from '#src/api/query.ts'
import { BroadcastLine } from '#src/areas/broadcasts/broadcast-line.tsx'
import { paths } from '#src/lib/paths.ts'
import { Card } from '#src/ui/card.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import styles from './home.module.css'

interface Step {
  readonly key: string
  /** Undefined while it is not known. */
  readonly isDone: boolean | undefined
  readonly to: string
  readonly values?: Readonly<Record<string, number>>
}

/** Nothing is on air: what is still to do, and how it went the last time. */
export function OffAir({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('home')
  const project_id = projectId
  const last = useQuery(q(broadcasts.list, { project_id, limit: 1, order: 'desc' })).data
  const servers = useQuery(q(rtmpServers.list, { project_id, interval: 1 })).data
  const on = useQuery(q(channels.search, { project_id, type: 'active', limit: 1 })).data
  const max = useQuery(q(restream.slots, { project_id })).data?.current?.channel_max
  const steps: readonly Step[] = [
    { key: 'server', isDone: servers && servers.results.length > 0, to: paths.ingest(projectId, 'servers') },
    { key: 'encoder', isDone: last && last.total > 0, to: paths.ingest(projectId) },
    { key: 'channels', isDone: on && on.total > 0, to: paths.channels(projectId), values: { count: on?.total ?? 0 } },
    {
      key: 'tariff',
      isDone: on && max !== undefined && max !== null ? on.total <= max : undefined,
      to: paths.tariffs(projectId),
      values: { count: on?.total ?? 0, max: max ?? 0 },
    },
  ]
  const row = last?.results[0]
  return (
    <>
      <Card title={t('off.title')} note={t('off.text')}>
        <ul className={styles.steps}>
          {steps.map(({ key, isDone, to, values = {} }) => (
            <li key={key} data-done={isDone || undefined}>
              {isDone ? <IconCircleCheck size={22} aria-hidden /> : <IconCircleDashed size={22} aria-hidden />}
              <div className={styles.step}>
                <span>
                  {isDone !== undefined && (
                    <span className="visually-hidden">{t(isDone ? 'step.done' : 'step.open')}: </span>
                  )}
                  {t(`step.${key}.${isDone === undefined ? 'unknown' : isDone ? 'done' : 'open'}`, values)}
                </span>
                <Link to={to}>{t(`step.${key}.link`)}</Link>
              </div>
            </li>
          ))}
        </ul>
      </Card>
      {row && (
        <Card title={t('last.title')} actions={<Link to={paths.broadcasts(projectId)}>{t('last.all')}</Link>}>
          <RowList label={t('last.title')}>
            <BroadcastLine projectId={projectId} row={row} />
          </RowList>
        </Card>
      )}
    </>
  )
}
