// Readers of chats in this process: their store over the database, and their start with the first wanted chat.
import { Gauge, type Registry } from 'prom-client'
import type { ReaderStore } from '#server/chat/stores.ts'
import type { ChatSupervisor } from '#server/chat/supervisor.ts'
import type { ChatControl } from '#server/core/chat.ts'
import { marksChannel } from '#server/db/marks.ts'
import type { Bus } from '#server/core/bus.ts'
import type { Signals } from '#server/db/signals.ts'
import { chatSources } from '#server/platforms/chats.gen.ts'
import type { Services } from '#server/core/context.ts'
import { noticeRefused } from '#server/domain/chat/notices.ts'
import { ReaderFenced, storeChatEvents } from '#server/domain/chat/store-events.ts'
import {
  claimReader,
  listFreeSources,
  reconcilePlaces,
  releaseReader,
  renewReaders,
} from '#server/domain/chat/wanted.ts'

/** Interval at which a process that never had a reader reconciles wanted chats, milliseconds; a wake-up does so immediately. */
const checkMs = 30_000
/** Least time between two checks of such a process for changes that may concern no chat. */
const apartMs = 2_500

export interface ChatReaders extends ChatControl {
  /** Starts checking for wanted chats. */
  start(): void
  /** Registers numbers of readers and messages as metrics. */
  observe(registry: Registry): void
  close(): Promise<void>
}

/**
 * Creates commands and readers. Their code is imported with the first wanted chat or command, so that a service without
 * chat needs no memory for it.
 * @param isOn false: this process sends, but reads no chats
 * @param bus carries `wake` to all replicas
 * @param signals marks of changed projects
 */
export function createChatReaders(
  services: () => Services,
  isOn: boolean,
  bus: Bus,
  signals: Pick<Signals, 'subscribe' | 'onConnection'>,
): ChatReaders {
  const commands = async () => (await import('#server/chat/control.ts')).createChatCommands(services, chatSources)
  let supervisor: ChatSupervisor | null = null
  let checking: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  let later: NodeJS.Timeout | null = null
  let checkedAt = -Infinity
  let noticing: Promise<void> = Promise.resolve()

  async function check(): Promise<void> {
    const store = createReaderStore(services())
    checkedAt = performance.now()
    if ((await store.reconcile()).places.length === 0 || timer === null) return
    const { startChatSupervisor } = await import('#server/chat/supervisor.ts')
    if (timer === null) return
    clearInterval(timer)
    supervisor = startChatSupervisor({
      sources: chatSources,
      services: services(),
      store,
      onRefused(place, { reason }) {
        noticing = noticing
          .then(() => noticeRefused(services(), place, reason))
          .catch((error: unknown) => services().log.error({ err: error }, 'A refused chat could not be notified'))
      },
    })
  }
  const wake = () => (supervisor ? supervisor.wake() : begin())
  const changed = () => {
    if (supervisor) return supervisor.changed()
    later ??= setTimeout(
      () => {
        later = null
        begin()
      },
      Math.max(checkedAt + apartMs - performance.now(), 0),
    ).unref()
  }
  bus.subscribe('chat', wake)
  if (isOn) {
    signals.subscribe(marksChannel, changed)
    signals.onConnection((isConnected) => isConnected && wake())
  }
  const begin = () => {
    if (supervisor || timer === null) return
    checking ??= check()
      .catch((error: unknown) => services().log.error({ err: error }, 'Wanted chats could not be read'))
      .finally(() => (checking = null))
  }

  return {
    send: async (...call) => (await commands()).send(...call),
    remove: async (...call) => (await commands()).remove(...call),
    restrict: async (...call) => (await commands()).restrict(...call),
    lift: async (...call) => (await commands()).lift(...call),
    wake: () => bus.publish('chat', null),
    start() {
      if (!isOn) return
      timer = setInterval(begin, checkMs).unref()
      begin()
    },
    observe(registry) {
      const registers = [registry]
      const readers: Gauge<'platform' | 'state'> = new Gauge({
        name: 'relaydeck_chat_readers',
        help: 'Readers of chats in this process',
        labelNames: ['platform', 'state'],
        registers,
        collect() {
          readers.reset()
          for (const { place, state } of supervisor?.readers() ?? []) readers.inc({ platform: place.platform, state })
        },
      })
      const events: Gauge<'kind'> = new Gauge({
        name: 'relaydeck_chat_reader_events',
        help: 'Messages, malformed frames, dropped messages and connections of chat readers since the start',
        labelNames: ['kind'],
        registers,
        collect() {
          for (const [kind, count] of Object.entries(supervisor?.counters ?? {})) events.set({ kind }, count)
        },
      })
    },
    async close() {
      if (timer) clearInterval(timer)
      if (later) clearTimeout(later)
      timer = null
      await checking
      await supervisor?.close()
      await noticing
    },
  }
}

/** Returns the store of readers over the database. */
export function createReaderStore(services: Services): ReaderStore {
  const { db } = services
  return {
    reconcile: () => reconcilePlaces(services),
    free: (sources) => listFreeSources(db, sources),
    async claim({ source, platform }, holder) {
      const claim = await claimReader(db, { source, platform, holder })
      if (!claim) return null
      const { epoch, cursor, gapSince } = claim
      return { epoch, cursor, since: gapSince === null ? null : new Date(gapSince) }
    },
    renew: (holder, readers) => renewReaders(db, holder, readers),
    release: (source, epoch) => releaseReader(db, source, epoch),
    async write({ source }, epoch, events) {
      try {
        await storeChatEvents(services, source, epoch, events)
        return true
      } catch (error) {
        if (error instanceof ReaderFenced) return false
        throw error
      }
    },
  }
}
