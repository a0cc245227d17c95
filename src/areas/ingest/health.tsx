import { useTranslation } from 'react-i18next'
import { formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import type { Latency } from './queries.ts'
import type { ServerState } from './server-state.ts'

const tones: Readonly<Record<ServerState, Tone>> = {
  good: 'ok',
  problem: 'warn',
  bad: 'warn',
  silent: 'warn',
  full: 'warn',
}

/** Badge with the health of a server. */
export function HealthBadge({ health }: { readonly health: ServerState }) {
  const { t } = useTranslation('ingest')
  return <Badge tone={tones[health]}>{t(`health.${health}`)}</Badge>
}

/** Latency from this browser, or a text for an unknown latency. */
export function LatencyText({ latency }: { readonly latency: Latency }) {
  const { t } = useTranslation('ingest')
  const language = useLanguage()
  if (latency === undefined) return t('latency.measuring')
  if (latency === null) return <span title={t('latency.why')}>{t('latency.unknown')}</span>
  return <span className="tabular">{t('latency.ms', { ms: formatNumber(latency, language) })}</span>
}
