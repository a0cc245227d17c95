// Figures of broadcasts for the analytics page and its CSV export.
import type { BroadcastFigures } from '#contract/areas/analytics/analytics.ts'
import { msOnAir } from '#src/lib/duration.ts'
import { comparedMax, type View } from './analytics-view.ts'

export type Row = BroadcastFigures

/** Time on air in milliseconds; a running broadcast counts up to `now`. */
export const lengthOf = ({ created_at: from, finish_at: to, away }: Row, now: number): number =>
  msOnAir({ from, to, away }, now)

/** Broadcasts in the comparison: the selection, or the latest two. */
export const comparedOf = (rows: readonly Row[], { compared }: Pick<View, 'compared'>): readonly Row[] =>
  compared === null ? rows.slice(0, 2) : rows.filter(({ id }) => compared.includes(id))

/** The selection with a broadcast added or removed; drops the oldest entry when full. */
export const toggled = (chosen: readonly number[], id: number): number[] =>
  chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(-comparedMax)

/** Totals of the broadcasts; null without measurements. */
export function sumUp(rows: readonly Row[], now: number) {
  const most = (values: readonly number[]) => (values.length > 0 ? Math.max(...values) : null)
  const measured = rows.filter(({ bitrate }) => bitrate !== null)
  const weight = measured.reduce((sum, row) => sum + lengthOf(row, now), 0)
  const weighed = measured.reduce((sum, row) => sum + (row.bitrate?.avg ?? 0) * lengthOf(row, now), 0)
  return {
    ms: rows.reduce((sum, row) => sum + lengthOf(row, now), 0),
    kbps: weight > 0 ? Math.round(weighed / weight) : null,
    viewers: most(rows.flatMap(({ viewers }) => (viewers === null ? [] : [viewers.max]))),
    troubles: rows.reduce((sum, { warnings, errors }) => sum + warnings + errors, 0),
  }
}

/** CSV columns, with the field names of the API. */
export const columns = [
  'id',
  'created_at',
  'finish_at',
  'seconds',
  'reconnects',
  'channels',
  'platforms',
  'bitrate_avg',
  'bitrate_min',
  'bitrate_max',
  'viewers_avg',
  'viewers_max',
  'warnings',
  'errors',
] as const

/** A broadcast as a CSV row. */
export const cellsOf = (row: Row, now: number): (string | number | null)[] => [
  row.id,
  row.created_at,
  row.finish_at,
  Math.round(lengthOf(row, now) / 1000),
  row.reconnects,
  row.channels,
  row.platforms.join(' '),
  row.bitrate?.avg ?? null,
  row.bitrate?.min ?? null,
  row.bitrate?.max ?? null,
  row.viewers?.avg ?? null,
  row.viewers?.max ?? null,
  row.warnings,
  row.errors,
]
