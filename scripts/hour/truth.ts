// Compares what Home shows, `broadcast/status`, with what the test did: each second, from the first to the last one.
import { setTimeout as wait } from 'node:timers/promises'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { BroadcastStatus, FillKind, OnAir, Restream } from '#contract/entities/on-air.ts'
import { type ChannelName, channelNames } from './channels.ts'
import { type Product, RefusedError } from './product.ts'

/**
 * What Home has to show of a channel. `off`: it is switched off. `away`: its platform is down. `track`: its track is missing.
 * `leaving`: its track is missing for a time after which it may be live or waiting.
 */
export type Shown = 'live' | 'off' | 'away' | 'track' | 'leaving'

export interface Expected {
  readonly status: OnAir['status']
  readonly fill: FillKind | null
  readonly backup: OnAir['backup'] | null
  readonly channels: Readonly<Record<ChannelName, Shown>>
}

type Change = Partial<Omit<Expected, 'channels'>> & { readonly channels?: Partial<Expected['channels']> }

const everyMs = 1_000
/** A service that has started knows within this time what its node does, milliseconds. */
const knowsMs = 5_000
/** Changes that take longer are noted, milliseconds. */
const slowMs = 4_000
/** A killed or stopped service answers again within this time, milliseconds. */
const downMsMax = 30_000

interface TruthOptions {
  readonly ids: Readonly<Record<ChannelName, number>>
  readonly first: Expected
  readonly onWrong: (text: string) => void
  readonly note: (text: string) => void
  /** Called each second. */
  readonly onSecond: () => void
}

/** A change that Home does not show yet. */
interface Pending {
  readonly what: string
  readonly seconds: number
  /** Infinity until it has happened. */
  since: number
  readonly done: () => void
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** Samples what Home shows until it is closed. */
export class Truth {
  readonly #product: Product
  readonly #options: TruthOptions
  readonly #running: Promise<void>
  #expected: Expected
  #pending: Pending | null = null
  #isOn = true
  #broadcastId = 0
  #wasWrong = ''
  #wasPortraitLive = true
  #downSince: number | null = null
  #upSince = Number.NEGATIVE_INFINITY
  /** Times until Home showed a change, milliseconds. */
  readonly delays: number[] = []
  samples = 0
  /** Longest time without an answer, and longest time after it in which Home was wrong, milliseconds. */
  downMs = 0
  unknownMs = 0
  /** How often Home showed that a channel went on again after it had waited for its track. */
  returns = 0

  constructor(product: Product, options: TruthOptions) {
    this.#product = product
    this.#options = options
    this.#expected = options.first
    this.#running = this.#watch()
  }

  /** What Home has to show. */
  get now(): Expected {
    return this.#expected
  }

  /**
   * Changes what Home has to show. Resolves when it does.
   * @param most longest time until then, with a service that answers, seconds
   * @param act makes the change
   */
  async change(what: string, most: number, changes: Change, act?: () => Promise<unknown> | void): Promise<void> {
    const { channels = {}, ...change } = changes
    this.#options.note(what)
    this.#expected = { ...this.#expected, ...change, channels: { ...this.#expected.channels, ...channels } }
    const shown = Promise.withResolvers<void>()
    // Until it has happened, Home may show both.
    const pending = { what, since: Number.POSITIVE_INFINITY, seconds: most, done: shown.resolve }
    this.#pending = pending
    await act?.()
    pending.since = performance.now()
    await shown.promise
    this.#pending = null
  }

  async close(): Promise<void> {
    this.#isOn = false
    await this.#running
  }

  async #watch(): Promise<void> {
    while (this.#isOn) {
      const began = performance.now()
      await this.#sample()
      this.#options.onSecond()
      // A change is looked for more often.
      await wait(Math.max(0, (this.#pending ? 200 : everyMs) - (performance.now() - began)))
    }
  }

  async #sample(): Promise<void> {
    const { api, projectId } = this.#product
    const { note, onWrong } = this.#options
    const at = performance.now()
    const status = await api(broadcasts.status, { project_id: projectId }).catch((error: unknown) => {
      if (error instanceof RefusedError) onWrong(error.message)
      return null
    })
    const since = this.#downSince
    if (!status) {
      const before = this.downMs
      this.#downSince ??= at
      this.downMs = Math.max(before, at - this.#downSince)
      // The time of a service that is away does not count.
      if (this.#pending && this.#pending.since < at) this.#pending.since = at
      if (before <= downMsMax && this.downMs > downMsMax) onWrong(`the service has been away for ${seconds(downMsMax)}`)
      return
    }
    if (since !== null) {
      note(`the service answers after ${seconds(at - since)}`)
      this.#downSince = null
      this.#upSince = at
    }
    this.#judge(status as BroadcastStatus, at)
  }

  #judge(status: BroadcastStatus, at: number): void {
    const { note, onWrong } = this.#options
    this.samples++
    const wrong = this.#differences(status)
    const text = wrong.join(', ')
    this.#countReturns(status)
    if (this.#pending) {
      const { what, since, seconds: most, done } = this.#pending
      if (at < since) return
      if (wrong.length === 0) {
        this.delays.push(at - since)
        if (at - since > slowMs) note(`shown after ${seconds(at - since)}, before: ${this.#wasWrong}`)
        done()
      } else if (at - since > most * 1000) {
        onWrong(`${most} s after "${what}" Home shows: ${text}`)
        done()
      }
    } else if (wrong.length > 0) {
      if (at - this.#upSince < knowsMs) {
        this.unknownMs = Math.max(this.unknownMs, at - this.#upSince)
        note(`${seconds(at - this.#upSince)} after the start: ${text}`)
      } else if (text !== this.#wasWrong) onWrong(`Home shows: ${text}`)
    }
    this.#wasWrong = text
  }

  #differences(status: BroadcastStatus): string[] {
    if (status.kind !== 'live') return ['the project is off air']
    this.#broadcastId ||= status.broadcast_id
    const { channels, ...wanted } = this.#expected
    const shown = { status: status.status, fill: status.fill ?? null, backup: status.backup ?? null }
    const wrong = status.broadcast_id === this.#broadcastId ? [] : ['it is another broadcast']
    for (const name of ['status', 'fill', 'backup'] as const)
      if (shown[name] !== wanted[name]) wrong.push(`${name} is ${shown[name]}, not ${wanted[name]}`)
    for (const name of channelNames) {
      const channel = this.#channel(status, name)
      if (!matches[channels[name]](channel))
        wrong.push(`${name} is ${channel?.state ?? 'missing'} (${channel?.reason ?? ''}), not ${channels[name]}`)
    }
    return wrong
  }

  #countReturns(status: BroadcastStatus): void {
    if (status.kind !== 'live') return
    const portrait = this.#channel(status, 'portrait')
    const isLive = portrait?.state === 'live'
    if (isLive && !this.#wasPortraitLive)
      this.#options.note(`the portrait channel is live again: return ${++this.returns}`)
    if (isLive || isWaiting(portrait)) this.#wasPortraitLive = isLive
  }

  #channel({ restreams }: OnAir, name: ChannelName): Restream | undefined {
    return restreams.find(({ channel_id }) => channel_id === this.#options.ids[name])
  }
}

const isWaiting = (shown: Restream | undefined) => shown?.state === 'idle' && shown.reason === 'track'
const matches: Readonly<Record<Shown, (shown: Restream | undefined) => boolean>> = {
  live: (shown) => shown?.state === 'live',
  off: (shown) => !shown || shown.state === 'stopped',
  // The line accepts and resets connections: a channel may be publishing for a moment.
  away: (shown) => ['connecting', 'publishing', 'backoff'].includes(shown?.state ?? ''),
  track: isWaiting,
  leaving: (shown) => shown?.state === 'live' || isWaiting(shown),
}
