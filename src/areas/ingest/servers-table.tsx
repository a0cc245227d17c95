import { useTranslation } from 'react-i18next'
import type { IngestServer } from '#contract/areas/ingest/rtmp-servers.ts'
import { formatPercent } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { HealthBadge, LatencyText } from './health.tsx'
import styles from './ingest.module.css'
import { serverStateOf } from './server-state.ts'
import type { Latency } from './queries.ts'

const metrics = ['network', 'cpu', 'ram'] as const

interface Props {
  readonly servers: readonly IngestServer[]
  readonly latencies: ReadonlyMap<string, Latency>
}

/** Servers with their average and peak load. */
export function ServersTable({ servers, latencies }: Props) {
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
