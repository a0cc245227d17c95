// Supervisor of readers: one reader per wanted source in the whole installation, by a lease with an epoch.
import { randomUUID } from 'node:crypto'
import type { ChatPlace } from '#server/core/chat.ts'
import { type Reader, startReader } from './reader.ts'
import type { ReaderCounters, ReadingParts } from './reading.ts'
import type { ChatSources } from './port.ts'
import type { ReaderStore } from './stores.ts'

/** Interval at which wanted sources are reconciled without a wake-up. */
const roundMs = 30_000
/** Least time between two reconciliations of changes that may concern no chat. */
const apartMs = 2_500
const wakeMs = 100
/** Interval of renewals and of takeovers; with a lease of 15 s, a takeover takes at most 20 s. */
const renewMs = 5_000
/** A holder that could not renew for that long closes its connection. */
const lostMs = 10_000

export interface ChatSupervisor {
  /** Reconciles wanted sources with readers now. */
  wake(): void
  /** As `wake`, at most each 2.5 s: a project has changed. */
  changed(): void
  /** Returns the readers of this process. */
  readers(): readonly Pick<Reader, 'place' | 'state'>[]
  readonly counters: Readonly<ReaderCounters>
  /** Stops the readers, writes what they have read, and releases their leases. */
  close(): Promise<void>
}

/** Starts the supervisor. @param options `holder`: unique per process */
export function startChatSupervisor(
  options: Omit<ReadingParts, 'load' | 'counters'> & {
    readonly store: ReaderStore
    readonly sources: ChatSources
    readonly holder?: string
  },
): ChatSupervisor {
  const { services, store, sources, holder = randomUUID() } = options
  const counters: ReaderCounters = { messages: 0, malformed: 0, dropped: 0, connects: 0 }
  const parts = { ...options, counters, load: async (place: ChatPlace) => sources[place.platform]?.() }
  const held = new Map<string, { reader: Reader; renewedAt: number }>()
  let isClosed = false
  let wanted = new Map<string, ChatPlace>()
  /** Times of the last round and of the next one, milliseconds of the process. */
  let roundAt = -Infinity
  let dueAt = -Infinity
  const fault = (error: unknown) => services.log.error({ err: error }, 'The chat supervisor failed')

  async function stop(reader: Reader, how?: 'lost'): Promise<void> {
    await reader.stop(how)
    held.delete(reader.place.source)
    if (how !== 'lost') await store.release(reader.place.source, reader.epoch).catch(fault)
  }

  /** @param lostAt end of the reading under another place: without a cursor, the time since then is a gap */
  async function start(place: ChatPlace, lostAt: Date | null): Promise<void> {
    const before = performance.now()
    const lease = await store.claim(place, holder)
    if (!lease) return
    if (isClosed) {
      // A lease of a reader that died keeps its gap: it ends by itself, and the next holder marks the gap.
      if (lease.since === null) await store.release(place.source, lease.epoch)
      return
    }
    const reader = startReader(parts, place, { ...lease, since: lease.since ?? lostAt })
    held.set(place.source, { reader, renewedAt: before })
    void reader.finished.then((isLost) => {
      if (held.get(place.source)?.reader === reader) held.delete(place.source)
      if (isLost) services.log.warn({ source: place.source, epoch: lease.epoch }, 'The lease of a chat was lost')
    }, fault)
  }

  async function round(): Promise<void> {
    roundAt = performance.now()
    const { places, until } = await store.reconcile()
    dueAt = roundAt + roundMs
    wanted = new Map(places.map((place) => [place.source, place]))
    const lost = new Map<string, Date>()
    const endsInMs = until === null ? Infinity : until.getTime() - services.clock.now().getTime()
    if (endsInMs < roundMs) wakes.in(Math.max(endsInMs, apartMs))
    for (const { reader } of held.values()) {
      const place = wanted.get(reader.place.source)
      if (place && !isChanged(place, reader.place)) continue
      if (place && reader.state === 'reading') lost.set(place.source, services.clock.now())
      await stop(reader).catch(fault)
    }
    for (const place of wanted.values()) {
      if (isClosed) return
      if (!held.has(place.source) && sources[place.platform])
        await start(place, lost.get(place.source) ?? null).catch(fault)
    }
  }

  const wakes = soonest(() => {
    dueAt = -Infinity
    if (!isClosed) rounds.now()
  })

  /** Claims wanted sources whose holder has died. */
  async function takeOver(): Promise<void> {
    for (const source of await store.free([...wanted.keys()].filter((one) => !held.has(one)))) {
      const place = wanted.get(source)
      if (isClosed) return
      if (place && !held.has(source) && sources[place.platform]) await start(place, null).catch(fault)
    }
  }

  async function renew(): Promise<void> {
    const before = performance.now()
    const entries = [...held.values()]
    if (entries.length === 0) return
    const readers = entries.map(({ reader: { place, epoch } }) => ({ source: place.source, epoch }))
    const ours = await store.renew(holder, readers).catch((error: unknown) => {
      fault(error)
      return null
    })
    await Promise.all(
      entries.map(async (entry) => {
        if (ours?.has(entry.reader.place.source)) entry.renewedAt = before
        else if (ours || before - entry.renewedAt > lostMs) await stop(entry.reader, 'lost')
      }),
    )
  }

  // One after the other: two claims of one holder would both succeed.
  const rounds = every(renewMs, () => (performance.now() < dueAt ? takeOver() : round()), fault)
  const renewals = every(renewMs, renew, fault)
  return {
    wake: () => wakes.in(wakeMs),
    changed: () => wakes.in(Math.max(wakeMs, roundAt + apartMs - performance.now())),
    readers: () => [...held.values()].map(({ reader }) => reader),
    counters,
    async close() {
      isClosed = true
      wakes.clear()
      await rounds.stop()
      await renewals.stop()
      await Promise.all([...held.values()].map(({ reader }) => stop(reader).catch(fault)))
    },
  }
}

/** Returns whether the reader has to connect anew: another account, page or broadcast. */
const isChanged = (next: ChatPlace, now: ChatPlace): boolean =>
  next.accountId !== now.accountId ||
  next.revision !== now.revision ||
  next.videoId !== now.videoId ||
  next.page !== now.page

/** Creates a timer that runs once for several calls, at the earliest of their times. */
function soonest(run: () => void) {
  let timer: NodeJS.Timeout | undefined
  let dueAt = Infinity
  const clear = () => {
    clearTimeout(timer)
    dueAt = Infinity
  }
  return {
    clear,
    in(ms: number) {
      const at = performance.now() + ms
      if (at >= dueAt) return
      clear()
      dueAt = at
      timer = setTimeout(() => {
        dueAt = Infinity
        run()
      }, ms).unref()
    },
  }
}

/** Runs a task now and at intervals, never twice at a time. */
function every(ms: number, task: () => Promise<void>, onFault: (error: unknown) => void) {
  let running: Promise<void> | null = null
  let again = false
  const run = () => {
    if (running) return void (again = true)
    running = task()
      .catch(onFault)
      .finally(() => {
        running = null
        if (again) {
          again = false
          run()
        }
      })
  }
  const timer = setInterval(run, ms).unref()
  run()
  return {
    now: run,
    async stop() {
      clearInterval(timer)
      again = false
      await running
    },
  }
}
