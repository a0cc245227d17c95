import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { type Interval, intervals } from '#contract/entities/ingest.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Choice } from './choice.tsx'
import styles from './ingest.module.css'
import { NoServers } from '#src/components/no-servers.tsx'
import { type Latency, useLatencies, useServers } from './queries.ts'
import { useSearchChoice } from './use-search-choice.ts'
import { graphTypes, type IngestServer, rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { formatPercent } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { HealthBadge, LatencyText } from './health.tsx'
import { serverStateOf } from './server-state.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Output } from '#contract/core/operation.ts'
import { q } from '#src/api/query.ts'
import { Chart } from '#src/components/chart.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { linesOf } from './graph-lines.ts'

const metrics = ['network', 'cpu', 'ram'] as const

interface ServersTableProps {
  readonly servers: readonly IngestServer[]
  readonly latencies: ReadonlyMap<string, Latency>
}

/** Servers with their average and peak load. */
function ServersTable({ servers, latencies }: ServersTableProps) {
  const { t } = useTranslation('ingest')
  const language = useLanguage()
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable region
    <div className={`edge-hint ${styles.scroll}`} role="group" aria-label={t('servers.title')} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('servers.place')}</th>
            <th scope="col">{t('servers.health')}</th>
            <th scope="col">{t('servers.latency')}</th>
            {metrics.map((metric) => (
              <th key={metric} scope="col">
                {t(`graph.${metric}`)}
              </th>
            ))}
            <th scope="col">{t('servers.platforms')}</th>
          </tr>
        </thead>
        <tbody>
          {servers.map((server) => (
            <tr key={server.id}>
              <th scope="row">
                {server.city} <span className={styles.quiet}>{server.country.name}</span>
              </th>
              <td>
                <HealthBadge health={serverStateOf(server)} />{' '}
                <span className={styles.quiet}>{t('servers.quality', { quality: server.quality })}</span>
              </td>
              <td>
                <LatencyText latency={latencies.get(server.pingHost)} />
              </td>
              {metrics.map((metric) => (
                <td key={metric}>
                  {formatPercent(server[metric].avg, language)}{' '}
                  <span className={styles.quiet}>
                    {t('servers.max', { max: formatPercent(server[metric].max, language) })}
                  </span>
                </td>
              ))}
              <td>
                <Platforms platforms={server.platforms} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Lists only platforms that the server reaches with problems. */
function Platforms({ platforms }: Pick<IngestServer, 'platforms'>) {
  const { t } = useTranslation('ingest')
  const ill = platforms.filter(({ status }) => status !== 'good')
  if (platforms.length === 0) return <span className={styles.quiet}>{t('servers.noPlatforms')}</span>
  if (ill.length === 0) return t('servers.allGood')
  return ill.map(({ id, title, status }) => (
    <span key={id} className={styles.platform}>
      {title || id} <HealthBadge health={status} />
    </span>
  ))
}

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

/** Chart of one load metric for every location over the interval. */
function LoadGraph({ interval }: { readonly interval: Interval }) {
  const { t } = useTranslation('ingest')
  const [type, setType] = useSearchChoice('graph', graphTypes, 'network')
  const graph = useQuery({ ...q(rtmpServers.graph, { interval, type }), refetchInterval: 60_000 })
  return (
    <Card
      title={t('graph.title')}
      actions={
        <SelectField
          label={t('graph.what')}
          isLabelHidden
          value={type}
          choices={graphTypes.map((value) => ({ value, label: t(`graph.${value}`) }))}
          onChange={setType}
        />
      }
    >
      <QueryPart query={graph} failed={t('graph.failed')} skeleton={<Skeleton height={260} />}>
        {(data) => <Lines graph={data} />}
      </QueryPart>
    </Card>
  )
}

/** One line per location, with gaps for missing reports. */
function Lines({ graph }: { graph: Output<typeof rtmpServers.graph> }) {
  const { t } = useTranslation('ingest')
  const language = useLanguage()
  const series = useMemo(
    () =>
      linesOf(graph).map((line) => ({
        ...line,
        top: 100,
        format: (percent: number) => formatPercent(percent, language),
      })),
    [graph, language],
  )
  return <Chart label={t('graph.title')} series={series} from={graph.timeLine[0]} to={graph.timeLine.at(-1)} />
}
