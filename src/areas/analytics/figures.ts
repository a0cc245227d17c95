// Broadcasts in figures, as the page and its file show them.
import type { BroadcastFigures } from '#contract/areas/analytics/analytics.ts'
import { comparedMax, type View } from './analytics-view.ts'

export type Row = BroadcastFigures

/** How long it was, or has been so far, in milliseconds. */
export const lengthOf = ({ created_at, finish_at }: Row, now: number): number =>
  Math.max(0, (finish_at === null ? now : Date.parse(finish_at)) - Date.parse(created_at))

/** What is drawn over each other: what was chosen, or the latest two. */
export const comparedOf = (rows: readonly Row[], { compared }: Pick<View, 'compared'>): readonly Row[] =>
  compared === null ? rows.slice(0, 2) : rows.filter(({ id }) => compared.includes(id))

/** The choice with a broadcast put in or taken out; the oldest choice makes room. */
export const toggled = (chosen: readonly number[], id: number): number[] =>
  chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(-comparedMax)

/** All of them in a few figures; null where nothing was measured. */
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

/** Columns of the file, named as the API names them. */
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

/** A broadcast as a line of the file. */
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
