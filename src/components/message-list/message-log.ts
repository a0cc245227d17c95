// Messages of one list: a ring of rows, flushed to the page at most four times a second in a flood, and a held copy for
// a list that must not move.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { appendFolded, newFolding } from './fold.ts'
import { createComparisons, type Page } from './comparisons.ts'
import {
  changed,
  cleared,
  deleted,
  addNote,
  type LogEvent,
  maxRows,
  merged,
  noted,
  type NoteRow,
  placeOf,
  type Row,
  rowOf,
  trimmed,
  without,
} from './rows.ts'

/** Arrivals a second from which on they are shown together. */
const calmPerSecond = 50
const flushMs = 250

export interface LogView {
  /** All rows, oldest first. */
  readonly live: readonly Row[]
  /** Rows of a list that does not move, or null: it follows `live`. Deletions reach both. */
  readonly held: readonly Row[] | null
}

export interface MessageLog {
  readonly view: () => LogView
  readonly subscribe: (listener: () => void) => () => void
  readonly receive: (events: readonly LogEvent[]) => void
  /** Adds loaded messages in their places, oldest first: they are no arrivals, and do not fold. */
  readonly load: (messages: readonly ChatMessage[]) => void
  /** Stops the list for the user, and lets it follow again. */
  readonly hold: (isHeld: boolean) => void
  /** Runs for every message that arrives, also while the list is held; not for loaded ones. */
  readonly onArrival: (listener: (message: ChatMessage) => void) => () => void
  /**
   * Compares the rows with messages of the service: marks those that it has not any more as deleted, and adds new ones.
   * @param how `load`: new messages are no arrivals
   * @returns the page
   */
  readonly compare: (request: () => Promise<Page>, how?: 'load') => Promise<Page>
  /**
   * Removes the rows between two numbers, both excluded: nothing is known about them any more.
   * @param note takes their place
   */
  readonly forget: (after: number, before: number, note?: Omit<NoteRow, 'key'>) => void
  readonly stop: () => void
}

type Later = (run: () => void, ms: number) => () => void

/** Creates a log. The functions of time are for tests. */
export function createMessageLog(now: () => number = () => performance.now(), later: Later = timeout): MessageLog {
  let view: LogView = { live: [], held: null }
  let waiting: LogEvent[] = []
  let cancel: (() => void) | null = null
  let lastSeq = 0
  const newKey = keys()
  const isFlood = floodGauge(now)
  const known = knownIds()
  const folding = newFolding()
  const comparisons = createComparisons()
  const listeners = new Set<() => void>()
  const arrivalListeners = new Set<(message: ChatMessage) => void>()

  /** Shows a view. @param isLess messages were removed that may arrive again */
  const show = (next: LogView, isLess = false) => {
    view = next
    known.forget(next, isLess)
    for (const listener of listeners) listener()
  }

  function flush(): void {
    cancel?.()
    cancel = null
    const events = waiting
    waiting = []
    let live: Row[] = [...view.live]
    let { held } = view
    for (const event of events) {
      const change = changeOf(event)
      if (change) {
        live = [...change(live)]
        held = held && change(held)
      } else if (event.is === 'message') add(live, event.message)
      else if (event.is === 'note') addNote(live, event.note, newKey)
    }
    show({ live: trimmed(live), held })
  }

  /** Returns what an event changes in known rows; null for a new row. */
  function changeOf(event: LogEvent): ((rows: readonly Row[]) => readonly Row[]) | null {
    if (event.is === 'cleared') return (rows) => cleared(rows, event.fits)
    if (event.is === 'note') return null
    const id = event.is === 'message' ? event.message.event_id : event.eventId
    if (!known.has(id)) return event.is === 'message' ? null : (rows) => rows
    return (rows) => changed(rows, id, changeOfMessage(event))
  }

  function add(rows: Row[], message: ChatMessage): void {
    known.add(message.event_id)
    lastSeq = Math.max(lastSeq, message.seq)
    const at = placeOf(rows, message.seq)
    if (at < rows.length) rows.splice(at, 0, rowOf(message))
    else appendFolded(folding, rows, rowOf(message), now())
  }

  function receive(events: readonly LogEvent[]): void {
    if (events.length === 0) return
    waiting.push(...events)
    comparisons.receive(events)
    for (const event of events)
      if (event.is === 'message' && !known.has(event.message.event_id))
        for (const listener of arrivalListeners) listener(event.message)
    // Timers of a hidden tab run once a minute: nothing may pile up until then.
    if (!isFlood(events.length) || waiting.length > maxRows) flush()
    else cancel ??= later(flush, flushMs)
  }

  function load(messages: readonly ChatMessage[]): void {
    const loaded = messages.filter(({ event_id }) => !known.has(event_id))
    if (loaded.length === 0) return
    for (const { event_id, seq } of loaded) {
      known.add(event_id)
      lastSeq = Math.max(lastSeq, seq)
    }
    const rows = loaded.map(rowOf)
    show({ live: trimmed(merged(rows, view.live)), held: view.held && merged(rows, view.held) })
  }

  return {
    view: () => view,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onArrival: (listener) => {
      arrivalListeners.add(listener)
      return () => arrivalListeners.delete(listener)
    },
    receive,
    compare: async (request, how) => {
      flush()
      return await comparisons.run(view.live, lastSeq, request, (change, messages) => {
        flush()
        show({ live: change(view.live), held: view.held && change(view.held) }, true)
        const others = messages.filter(({ event_id }) => !known.has(event_id))
        if (how === 'load') load(others)
        else receive(others.map((message) => ({ is: 'message', message })))
      })
    },
    forget: (after, before, note) => {
      flush()
      show(forgotten(view, after, before, note && { ...note, key: newKey() }), true)
    },
    load,
    hold: (isHeld) => {
      if (isHeld !== (view.held !== null)) show({ ...view, held: isHeld ? view.live : null })
    },
    stop: () => cancel?.(),
  }
}

/** Returns what an event changes in its message. */
function changeOfMessage(event: Exclude<LogEvent, { is: 'cleared' | 'note' }>): (old: ChatMessage) => ChatMessage {
  if (event.is === 'deleted') return deleted
  // A message that is visible again arrives whole.
  if (event.is === 'message') return () => event.message
  return (old) => (old.deleted ? old : event.change(old))
}

/** The view without the messages between two numbers, with a note in their place. */
function forgotten({ live, held }: LogView, after: number, before: number, note?: NoteRow): LogView {
  const rest = without(live, after, before)
  return { live: note ? noted(rest, before, note) : rest, held: held && without(held, after, before) }
}

/** Makes keys of notes. */
function keys(): () => string {
  let count = 0
  return () => `note-${(count += 1)}`
}

/** Ids of the rows of a view. Those of trimmed rows go from time to time: a set has no order that fits the ring. */
function knownIds() {
  let ids = new Set<string>()
  return {
    has: (id: string) => ids.has(id),
    add: (id: string) => void ids.add(id),
    forget: ({ live, held }: LogView, isLess: boolean) => {
      if (!isLess && ids.size <= 4 * maxRows) return
      const rows = [...live, ...(held ?? [])]
      ids = new Set(rows.flatMap((row) => [row.key, ...(row.kind === 'message' ? row.same : []).map(idOf)]))
    },
  }
}

const idOf = ({ event_id }: ChatMessage) => event_id

/** Returns whether more than the calm number of events arrived in the last second, with those just counted. */
function floodGauge(now: () => number): (count: number) => boolean {
  let recent: { readonly at: number; readonly count: number }[] = []
  return (count) => {
    const at = now()
    recent = [...recent.filter((one) => one.at > at - 1_000), { at, count }]
    return recent.reduce((sum, one) => sum + one.count, 0) > calmPerSecond
  }
}

function timeout(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
