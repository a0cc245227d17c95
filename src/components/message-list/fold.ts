// Folds identical texts of several people within a short time into one row. Display only: every message keeps its id.
import { type MessageRow, personOf, type Row } from './rows.ts'

/** Time from the first message of a wave, milliseconds, in which the same text folds. */
const windowMs = 5_000
/** People with the same text from which on it folds. */
const minPeople = 3

interface Wave {
  readonly keys: string[]
  readonly people: Set<string>
  readonly until: number
}

/** Remembers the texts of the last seconds. */
export interface Folding {
  readonly waves: Map<string, Wave>
}

export const newFolding = (): Folding => ({ waves: new Map() })

/**
 * Appends a row, or folds it into the first row of its wave.
 * @param rows changed in place: the caller owns the array
 * @param now milliseconds, monotonic
 */
export function appendFolded(folding: Folding, rows: Row[], row: MessageRow, now: number): void {
  const text = textOf(row)
  if (text === null) return void rows.push(row)
  sweep(folding, now)
  const wave = folding.waves.get(text)
  if (!wave) {
    folding.waves.set(text, { keys: [row.key], people: new Set([personOf(row.message)]), until: now + windowMs })
    return void rows.push(row)
  }
  wave.people.add(personOf(row.message))
  if (wave.people.size < minPeople) {
    wave.keys.push(row.key)
    return void rows.push(row)
  }
  fold(rows, wave.keys, row)
}

/** Moves all rows of the wave, and the new one, into its first row. The following messages find one row only. */
function fold(rows: Row[], keys: string[], row: MessageRow): void {
  const at = rows.findLastIndex(({ key }) => key === keys[0])
  const first = rows[at]
  if (first?.kind !== 'message' || first.message.deleted) return void rows.push(row)
  const rest = rows.filter((one): one is MessageRow => one.kind === 'message' && keys.indexOf(one.key) > 0)
  rows[at] = { ...first, same: [...first.same, ...rest.map(({ message }) => message), row.message] }
  for (const one of rest) rows.splice(rows.indexOf(one), 1)
  keys.length = 1
}

/** Text that may fold: a plain message that answers no other one. */
function textOf({ message }: MessageRow): string | null {
  const { text, kind, is_outgoing, reply_to, deleted } = message
  const isPlain = kind === 'message' && !is_outgoing && !reply_to && !deleted
  return isPlain && text.trim() !== '' ? text.trim().toLowerCase() : null
}

function sweep({ waves }: Folding, now: number): void {
  for (const [text, { until }] of waves) {
    if (until >= now) break
    waves.delete(text)
  }
}
