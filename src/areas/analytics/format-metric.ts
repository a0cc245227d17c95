import type { Language } from '#contract/core/wire.ts'
import { formatBitrate, formatNumber } from '#src/lib/format.ts'
import type { Metric } from './analytics-view.ts'

/** Formats a value of a metric with its unit. */
export const formatMetric = (value: number, metric: Metric, language: Language): string =>
  metric === 'bitrate' ? formatBitrate(Math.round(value), language) : formatNumber(Math.round(value), language)
