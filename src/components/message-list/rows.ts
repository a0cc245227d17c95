// Rows of a message list, and the pure operations on them. All return new arrays and leave unchanged rows as they are.
import type { ChatMessage } from '#contract/entities/chat-message.ts'

export interface MessageRow {
  readonly kind: 'message'
  readonly key: string
  readonly message: ChatMessage
  /** Messages of other people with the same text, folded into this row. */
  readonly same: readonly ChatMessage[]
}

/** Messages of a platform that were lost, or that the service left out in a flood. */
export interface NoteRow {
  readonly kind: 'gap' | 'skipped'
  readonly key: string
  /** Type of the platform; '': all of them. */
  readonly platform: string
  /** Number of messages left out; 0 for a gap, whose number is unknown. */
  readonly count: number
}

export type Row = MessageRow | NoteRow

/** Event, in the order of the realtime channel. */
export type LogEvent =
  | { readonly is: 'message'; readonly message: ChatMessage }
  /** `rev`: number of the change; a message with a larger one stays as it is. */
  | {
      readonly is: 'changed'
      readonly eventId: string
      readonly rev?: number
      readonly change: (known: ChatMessage) => ChatMessage
    }
  /** `rev` is left out for a deletion by this page: the message stays deleted. */
  | { readonly is: 'deleted'; readonly eventId: string; readonly rev?: number }
  | { readonly is: 'cleared'; readonly rev: number; readonly fits: (message: ChatMessage) => boolean }
  | { readonly is: 'note'; readonly note: Omit<NoteRow, 'key'> }

/** Rows that a list keeps: older ones are read from the service again. */
export const maxRows = 5_000

export const rowOf = (message: ChatMessage): MessageRow => ({
  kind: 'message',
  key: message.event_id,
  message,
  same: [],
})

/** Removes the oldest rows above the limit. */
export const trimmed = (rows: readonly Row[]): readonly Row[] => (rows.length > maxRows ? rows.slice(-maxRows) : rows)

/** Place of a message: before those with a larger number. Notes and samples (number 0) keep the place of their arrival. */
export function placeOf(rows: readonly Row[], seq: number): number {
  let place = rows.length
  if (seq === 0) return place
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at]
    if (row?.kind !== 'message' || row.message.seq === 0) continue
    if (row.message.seq <= seq) break
    place = at
  }
  return place
}

/** Merges loaded rows into known ones, both in order. */
export function merged(loaded: readonly Row[], known: readonly Row[]): readonly Row[] {
  const first = known.find((row) => row.kind === 'message')
  const last = loaded.at(-1)
  if (first?.kind !== 'message' || (last?.kind === 'message' && last.message.seq < first.message.seq))
    return [...loaded, ...known]
  const rows = [...known]
  for (const row of loaded) rows.splice(placeOf(rows, row.kind === 'message' ? row.message.seq : 0), 0, row)
  return rows
}

/** Applies a change to the message with this id, also where it is folded into another row. */
export function changed(
  rows: readonly Row[],
  eventId: string,
  change: (message: ChatMessage) => ChatMessage,
): readonly Row[] {
  const at = rows.findLastIndex(
    (row) => row.kind === 'message' && (row.key === eventId || row.same.some(({ event_id }) => event_id === eventId)),
  )
  const row = rows[at]
  if (row?.kind !== 'message') return rows
  const next: MessageRow =
    row.key === eventId
      ? { ...row, message: change(row.message) }
      : { ...row, same: row.same.map((one) => (one.event_id === eventId ? change(one) : one)) }
  return rows.with(at, next)
}

/** The message as it stays after its deletion: without text, images and amount. @param rev number of the deletion */
export const deleted = (message: ChatMessage, rev: number): ChatMessage => ({
  ...message,
  rev,
  deleted: true,
  text: '',
  entities: [],
  paid: null,
})

/** Applies a function to all messages, folded ones too. */
const mapMessages = (rows: readonly Row[], change: (message: ChatMessage) => ChatMessage): readonly Row[] =>
  rows.map((row) => {
    if (row.kind !== 'message') return row
    const message = change(row.message)
    const same = row.same.some((one) => change(one) !== one) ? row.same.map(change) : row.same
    return message === row.message && same === row.same ? row : { ...row, message, same }
  })

/** Marks messages that fit as deleted. @param rev number of the change */
export const cleared = (rows: readonly Row[], fits: (message: ChatMessage) => boolean, rev: number): readonly Row[] =>
  mapMessages(rows, (message) => (fits(message) ? deleted(message, rev) : message))

/** Appends a note, or adds it to the same one at the end. @param newKey makes the key of its row */
export function addNote(rows: Row[], note: Omit<NoteRow, 'key'>, newKey: () => string): void {
  const last = rows.at(-1)
  const isSame = last !== undefined && last.kind === note.kind && last.platform === note.platform
  if (isSame) rows[rows.length - 1] = { ...last, count: last.count + note.count }
  else rows.push({ ...note, key: newKey() })
}

/**
 * Rows of a filtered list: messages that fit, and notes. Notes without a message between them are one.
 * @param platform leaves out the notes of other platforms; '': none
 */
export function filtered(
  rows: readonly Row[],
  fits: (message: ChatMessage) => boolean,
  platform: string,
): readonly Row[] {
  const shown: Row[] = []
  for (const row of rows)
    if (row.kind === 'message') {
      if (fits(row.message)) shown.push(row)
    } else if ([platform, row.platform].includes('') || row.platform === platform) addNote(shown, row, () => row.key)
  return shown
}

/** Number of messages after the last row of `held` that fit: those that a stopped list does not show yet. */
export function newer(live: readonly Row[], held: readonly Row[], fits: (message: ChatMessage) => boolean): number {
  const last = held.at(-1)?.key
  let count = 0
  for (let at = live.length - 1; at >= 0; at--) {
    const row = live[at]
    if (row?.key === last) break
    if (row?.kind === 'message' && fits(row.message)) count += 1 + row.same.length
  }
  return count
}

/** Platform that a message is from; of a sent one, the first that it was sent to. */
export const platformOf = ({ restreams }: ChatMessage): string => restreams[0]?.platform ?? ''

/** Key of the author of a message. */
export const personOf = (message: ChatMessage): string => `${platformOf(message)} ${message.sender.id}`
