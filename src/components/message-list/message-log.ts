// Messages of one list: a ring of rows, flushed to the page at most four times a second in a flood, and a held copy for
// a list that must not move.
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { appendFolded, newFolding } from './fold.ts'
import {
  changed,
  cleared,
  deleted,
  addNote,
  type LogEvent,
  maxRows,
  merged,
  placeOf,
  type Row,
  rowOf,
  trimmed,
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
  /**
   * Adds loaded messages in their places, oldest first: they are no arrivals, and do not fold.
   * @param from number of the first message that the list has then; messages before it are ignored when they change
   */
  readonly load: (messages: readonly ChatMessage[], from?: number) => void
  /** As `load`, of messages that a request returns: changes that arrive meanwhile are applied to them. */
  readonly loadFrom: (request: () => Promise<Loaded>) => Promise<void>
  /** Shows messages in place of all rows. */
  readonly restart: (messages: readonly ChatMessage[], from: number) => void
  /** Stops the list for the user, and lets it follow again. */
  readonly hold: (isHeld: boolean) => void
  /** Runs for every message that arrives, also while the list is held; not for loaded ones. */
  readonly onArrival: (listener: (message: ChatMessage) => void) => () => void
  readonly stop: () => void
}

/** Loaded messages, and the number of the first message that the list has then. */
interface Loaded {
  readonly messages: readonly ChatMessage[]
  readonly from: number
}

type Later = (run: () => void, ms: number) => () => void

/** Creates a log. The functions of time are for tests. */
export function createMessageLog(now: () => number = () => performance.now(), later: Later = timeout): MessageLog {
  let view: LogView = { live: [], held: null }
  let waiting: LogEvent[] = []
  let cancel: (() => void) | null = null
  /** Messages with smaller numbers are not in the list: they are loaded on demand. */
  let first = 0
  const recorder = recorders()
  const newKey = keys()
  const isFlood = floodGauge(now)
  const known = knownIds()
  const folding = newFolding()
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
    if (event.is === 'cleared') return (rows) => cleared(rows, event.fits, event.rev)
    if (event.is === 'note') return null
    const id = event.is === 'message' ? event.message.event_id : event.eventId
    if (!known.has(id)) return event.is === 'message' ? null : (rows) => rows
    return (rows) => changed(rows, id, changeOfMessage(event))
  }

  function add(rows: Row[], message: ChatMessage): void {
    if (message.seq > 0 && message.seq < first) return
    known.add(message.event_id)
    const at = placeOf(rows, message.seq)
    if (at < rows.length) rows.splice(at, 0, rowOf(message))
    else appendFolded(folding, rows, rowOf(message), now())
  }

  function receive(events: readonly LogEvent[]): void {
    if (events.length === 0) return
    waiting.push(...events)
    recorder.add(events)
    const gone = new Set(events.flatMap((event) => (event.is === 'deleted' ? [event.eventId] : [])))
    for (const event of events)
      if (event.is === 'message' && !known.has(event.message.event_id) && !gone.has(event.message.event_id))
        for (const listener of arrivalListeners) listener(event.message)
    // Timers of a hidden tab run once a minute: nothing may pile up until then.
    if (!isFlood(events.length) || waiting.length > maxRows) flush()
    else cancel ??= later(flush, flushMs)
  }

  function load(messages: readonly ChatMessage[], from = 0, recent: readonly LogEvent[] = []): void {
    first = from
    const loaded = messages.filter(({ event_id }) => !known.has(event_id))
    if (loaded.length === 0) return
    for (const { event_id } of loaded) known.add(event_id)
    const rows = recent.reduce<readonly Row[]>((old, event) => changeOf(event)?.(old) ?? old, loaded.map(rowOf))
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
    load: (messages, from) => load(messages, from),
    loadFrom: async (request) => {
      const { answer, events } = await recorder.run(request)
      load(answer.messages, answer.from, events)
    },
    restart: (messages, from) => {
      cancel?.()
      cancel = null
      waiting = []
      show({ live: [], held: view.held && [] }, true)
      load(messages, from)
    },
    hold: (isHeld) => {
      if (isHeld !== (view.held !== null)) show({ ...view, held: isHeld ? view.live : null })
    },
    stop: () => cancel?.(),
  }
}

/** Returns what an event changes in its message. */
function changeOfMessage(event: Exclude<LogEvent, { is: 'cleared' | 'note' }>): (old: ChatMessage) => ChatMessage {
  if (event.is === 'deleted')
    return (old) => (isOlder(old, event.rev) ? old : deleted(old, event.rev ?? Number.MAX_SAFE_INTEGER))
  // A message that is visible again arrives whole.
  if (event.is === 'message') return (old) => (isOlder(old, event.message.rev) ? old : event.message)
  return (old) => {
    if (isOlder(old, event.rev)) return old
    return { ...(old.deleted ? old : event.change(old)), rev: event.rev ?? old.rev }
  }
}

/** Returns whether a change with a number is not newer than a message. */
const isOlder = ({ rev }: ChatMessage, of: number | undefined): boolean => of !== undefined && of <= rev

/** Records events while requests are under way. */
function recorders() {
  const open = new Set<LogEvent[]>()
  return {
    add: (events: readonly LogEvent[]): void => {
      for (const recent of open) recent.push(...events)
    },
    run: async <T>(
      request: () => Promise<T>,
    ): Promise<{ readonly answer: T; readonly events: readonly LogEvent[] }> => {
      const events: LogEvent[] = []
      open.add(events)
      try {
        return { answer: await request(), events }
      } finally {
        open.delete(events)
      }
    },
  }
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
