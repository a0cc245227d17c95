import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { IngestServer } from '#contract/areas/ingest/rtmp-servers.ts'
import { formatPercent } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { HealthBadge, LatencyText } from './health.tsx'
import styles from './ingest.module.css'
import { serverStateOf } from './server-state.ts'
import type { Latency } from './queries.ts'

interface Props {
  readonly servers: readonly IngestServer[]
  readonly chosen: number | undefined
  /** Id of the recommended server, used without a choice of the user. */
  readonly best: number | undefined
  readonly latencies: ReadonlyMap<string, Latency>
  readonly onChoose: (server: IngestServer) => void
}

/** Server list with health and latency. */
export function ServerChoice({ servers, chosen, best, latencies, onChoose }: Props) {
  const { t } = useTranslation('ingest')
  const language = useLanguage()
  const name = useId()
  return (
    <fieldset className={styles.servers}>
      <legend className="visually-hidden">{t('server.title')}</legend>
      {servers.map((server) => (
        <label key={server.id} className={styles.server} data-on={server.id === chosen || undefined}>
          <input type="radio" name={name} checked={server.id === chosen} onChange={() => onChoose(server)} />
          <span className={styles.place}>
            <strong>{server.city}</strong> <span className={styles.quiet}>{server.country.name}</span>
          </span>
          <span className={styles.figures}>
            {server.id === best && servers.length > 1 && <Badge tone="accent">{t('server.best')}</Badge>}
            <HealthBadge health={serverStateOf(server)} />
            <LatencyText latency={latencies.get(server.pingHost)} />
            <span className={styles.quiet}>
              {t('server.load', {
                load: formatPercent(Math.round(Math.max(server.cpu.avg, server.network.avg)), language),
              })}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
