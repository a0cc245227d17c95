// Broadcast of the test: its encoders and its channel that is cut, and what Home has to show of them.
import { setTimeout as wait } from 'node:timers/promises'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { FillKind } from '#contract/entities/on-air.ts'
import { poll } from '#scripts/house/poll.ts'
import type { Choices } from '#scripts/cluster/random.ts'
import type { Channels } from './channels.ts'
import { type EncoderKind, type Ingest, type RunningEncoder, startEncoder } from './encoders.ts'
import type { Product } from './product.ts'
import type { Streams } from './streams.ts'
import type { Truth } from './truth.ts'

/** Longest times until Home shows a change, seconds. Streams by SRT are analysed first. */
export const soon = 6
export const started = 20
/** A channel whose track is missing is disconnected after 10 s. */
const trackGoneMs = 13_000
/** A killed encoder that sent by SRT says nothing: another one is refused until it has been silent for 2 s. */
const replacedMs = 2_500
/** With more changes within a minute a main encoder waits beside the backup. */
const changesMax = 4
const minuteMs = 60_000
/** Share of the waits with an aside. */
const asidesShare = 0.4

interface SceneParts {
  readonly product: Product
  readonly streams: Streams
  readonly ingest: Ingest
  readonly channels: Channels
  readonly truth: Truth
  readonly choices: Choices
  /** Pictures for a lost encoder. */
  readonly pictures: readonly number[]
}

export class Scene {
  readonly product: Product
  readonly channels: Channels
  readonly truth: Truth
  readonly choices: Choices
  readonly pictures: readonly number[]
  readonly streams: Streams
  /** Small steps that may happen while others wait. */
  asides: readonly ((scene: Scene) => Promise<void>)[] = []
  /** What a lost encoder is replaced by. */
  fill: FillKind = 'picture'
  /** Publications of `cut` that the test caused. */
  cuts = 0
  broadcastId = 0
  /** Number of steps by name. */
  readonly counts: Record<string, number> = {}
  readonly #ingest: Ingest
  #main: RunningEncoder | null = null
  #backup: RunningEncoder | null = null
  #begins: number[] = []
  /** Beginning of an encoder without the portrait. */
  #withoutPortraitAt: number | null = null

  constructor({ product, streams, ingest, channels, truth, choices, pictures }: SceneParts) {
    this.product = product
    this.streams = streams
    this.channels = channels
    this.truth = truth
    this.choices = choices
    this.pictures = pictures
    this.#ingest = ingest
  }

  /** Identifies the project, and the broadcast. */
  get project() {
    return { project_id: this.product.projectId }
  }
  get broadcast() {
    return { ...this.project, broadcast_id: this.broadcastId }
  }

  /** Goes on air. */
  async begin(): Promise<void> {
    this.#main = await this.#start('tracks')
    this.#begins.push(performance.now())
    await this.truth.change('a broadcast begins', 40, {})
    const status = await this.product.api(broadcasts.status, this.project)
    if (!('broadcast_id' in status)) throw new Error('The project is off air')
    this.broadcastId = status.broadcast_id
  }

  count(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1
  }

  /** Repeats an operation while the service is away. */
  insist(what: string, work: () => Promise<unknown>): Promise<unknown> {
    return poll(what, async () => {
      await work()
      return true
    })
  }

  /** Returns what Home has to show when an encoder of a kind is on air. */
  shows(kind: EncoderKind | 'browser') {
    this.#begins.push(performance.now())
    this.#withoutPortraitAt = kind === 'tracks' ? null : performance.now()
    const before = this.truth.now.channels.portrait
    const portrait = kind === 'tracks' ? 'live' : before === 'live' ? 'leaving' : before
    return { status: 'active', fill: null, channels: { portrait } } as const
  }

  /** The same when the encoder on air is lost. */
  lost() {
    this.#withoutPortraitAt = null
    return { status: 'lost', fill: this.fill } as const
  }

  /** Waits until a further change of the encoder has an effect. */
  async calm(): Promise<void> {
    for (;;) {
      this.#begins = this.#begins.filter((at) => performance.now() - at < minuteMs)
      if (this.#begins.length <= changesMax) return
      await wait(500)
    }
  }

  /** Lets something be shown, with something small at the same time. @param least @param most seconds */
  async hold(least: number, most: number): Promise<void> {
    const { between } = this.choices
    const until = performance.now() + between(least, most) * 1000
    if (between(0, 1) < asidesShare) await this.asides[Math.floor(between(0, this.asides.length))]?.(this)
    await wait(Math.max(0, until - performance.now()))
    const at = this.#withoutPortraitAt
    if (at === null || performance.now() - at < trackGoneMs || this.truth.now.channels.portrait !== 'leaving') return
    await this.truth.change('the portrait is missing for long', soon, { channels: { portrait: 'track' } })
  }

  anyKind(): EncoderKind {
    return this.choices.pick<EncoderKind>(['tracks', 'tracks', 'rtmp', 'srt', 'bonded'])
  }

  /** The main encoder, which runs. */
  get main(): RunningEncoder {
    if (!this.#main) throw new Error('There is no main encoder')
    return this.#main
  }

  async killMain(): Promise<void> {
    const { kind, kill } = this.main
    const at = performance.now()
    await this.truth.change(`the main encoder (${kind}) is killed`, soon, this.lost(), kill)
    await wait(Math.max(0, at + replacedMs - performance.now()))
  }

  async startMain(kind: EncoderKind): Promise<void> {
    await this.truth.change(`a main encoder (${kind}) begins`, started, this.shows(kind), async () => {
      this.#main = await this.#start(kind)
    })
  }

  async startBackup(kind: EncoderKind): Promise<void> {
    await this.truth.change(`a backup (${kind}) connects`, started, { backup: 'connected' }, async () => {
      this.#backup = await this.#start(kind, true)
    })
  }

  /** The backup goes on air. */
  async killMainBesideBackup(): Promise<void> {
    const kind = this.#backup?.kind ?? 'rtmp'
    const shown = { ...this.shows(kind), backup: 'on_air' } as const
    const at = performance.now()
    await this.truth.change('the main encoder is killed', soon, shown, this.main.kill)
    await wait(Math.max(0, at + replacedMs - performance.now()))
  }

  async startMainBesideBackup(kind: EncoderKind): Promise<void> {
    const shown = { ...this.shows(kind), backup: 'connected' } as const
    await this.truth.change(`a main encoder (${kind}) takes over`, started, shown, async () => {
      this.#main = await this.#start(kind)
    })
  }

  async killBackup(): Promise<void> {
    await this.truth.change('the backup is killed', soon, { backup: null }, () => this.#backup?.kill())
    this.#backup = null
  }

  /** Ends of encoders by themselves. */
  ended(): string[] {
    return [this.#main, this.#backup].flatMap((encoder) => encoder?.ended() ?? [])
  }

  async close(): Promise<void> {
    await this.#main?.kill()
    await this.#backup?.kill()
  }

  #start(kind: EncoderKind, isBackup = false): Promise<RunningEncoder> {
    return startEncoder(kind, this.streams, this.#ingest, isBackup)
  }
}
