import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { intervals } from '#contract/entities/ingest.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Choice } from './choice.tsx'
import styles from './ingest.module.css'
import { LoadGraph } from './load-graph.tsx'
import { NoServers } from './no-servers.tsx'
import { useLatencies, useServers } from './queries.ts'
import { ServersTable } from './servers-table.tsx'
import { useSearchChoice } from './use-search-choice.ts'

/** Current and past load of the servers, and their health. */
export function ServersPart() {
  const { t } = useTranslation('ingest')
  const projectId = Number(useParams()['projectId'])
  const [hours, setHours] = useSearchChoice('hours', intervals.map(String), '1')
  const interval = intervals.find((value) => String(value) === hours) ?? 1
  const servers = useServers(projectId, interval)
  const latencies = useLatencies(servers.data?.results ?? [])
  return (
    <div className={styles.parts}>
      <Card
        title={t('servers.title')}
        note={t('servers.note')}
        actions={
          <Choice
            label={t('servers.interval')}
            value={hours}
            choices={intervals.map((value) => ({ value: String(value), label: t('servers.hours', { count: value }) }))}
            onChange={setHours}
          />
        }
      >
        <QueryPart query={servers} failed={t('server.failed')} skeleton={<Skeleton height={240} />}>
          {({ results, ...why }) =>
            results.length === 0 ? <NoServers {...why} /> : <ServersTable servers={results} latencies={latencies} />
          }
        </QueryPart>
      </Card>
      {servers.data && servers.data.results.length > 0 && <LoadGraph interval={interval} />}
    </div>
  )
}
