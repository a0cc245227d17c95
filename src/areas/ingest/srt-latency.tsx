import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type IngestServer, rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { q } from '#src/api/query.ts'
import { formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './ingest.module.css'
import type { Latency } from './queries.ts'

/** Recommended SRT latency, based on the measured latency; empty without a measurement. */
export function SrtLatency({ server, latency }: { readonly server: IngestServer; readonly latency: Latency }) {
  const { t } = useTranslation('ingest')
  const language = useLanguage()
  const advice = useQuery({
    ...q(rtmpServers.srtLatency, { dst_ip: server.pingHost, rtt: latency ?? 0 }),
    enabled: typeof latency === 'number',
  }).data
  if (typeof latency !== 'number' || !advice?.latency) return null
  const values = { ms: formatNumber(advice.latency, language), us: String(advice.latency * 1000) }
  return <p className={styles.hint}>{t('encoder.srtLatency', values)}</p>
}
