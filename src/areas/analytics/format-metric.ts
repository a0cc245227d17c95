import type { Language } from '#contract/core/wire.ts'
import { formatBitrate, formatNumber } from '#src/lib/format.ts'
import type { Metric } from './analytics-view.ts'

/** A value of a metric as people read it. */
export const formatMetric = (value: number, metric: Metric, language: Language): string =>
  metric === 'bitrate' ? formatBitrate(Math.round(value), language).kbps : formatNumber(Math.round(value), language)
