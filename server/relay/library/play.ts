// One play: scheduled files that this node sends like an encoder of the lowest rank. The playlist is a clock, so nothing is saved.
import type { DesiredPlay, PlayState } from '#contract/entities/play.ts'
import {
  type IngestSession,
  plainLink,
  type Publication,
  type PublishRequest,
} from '#server/relay/ingest/publication.ts'
import type { Refused } from '#server/relay/ingest/refusal.ts'
import type { FilmShelf } from './films.ts'
import { PlayFilms, placeAt } from './playlist.ts'
import { playEncoder, PlayTimeline } from './play-timeline.ts'
import { Reel } from './reel.ts'

/** Messages leave in batches of this length, milliseconds. */
const tickMs = 40
/** Films and times are looked at so often before the play sends, milliseconds. */
const watchMs = 250
/** A refused play asks again after this time, milliseconds. */
const askMs = 5_000
/** A play that was held up for longer, or whose clock was set by more, joins at its place again, milliseconds. */
const heldMs = 2_000
const clockMs = 1_000
/** The service may be away, and films are made anew after a failure: without one for so long the play has failed, milliseconds. */
const patienceMs = 60_000
const wordsMax = 300

export interface PlayOptions {
  readonly films: FilmShelf
  readonly admit: (request: PublishRequest, session: IngestSession) => Promise<Publication | Refused>
  /** @param item item that plays, or that was skipped for the reason in `words` */
  readonly onState: (state: PlayState, words: string, item: number | undefined) => void
}

export class Play {
  #desired: DesiredPlay
  readonly #options: PlayOptions
  #films: PlayFilms
  #timer: NodeJS.Timeout | undefined
  #publication: { readonly session: IngestSession; readonly sink: Publication } | null = null
  #timeline = new PlayTimeline()
  /** `offset`: of the wall clock from the monotonic one when it joined. */
  #joined: { readonly reel: Reel; readonly offset: number } | null = null
  #tickedAt = 0
  #isAsking = false
  #askAt = 0
  /** No film could be made since this time, wall clock, milliseconds. */
  #brokenSince: number | null = null
  #reported = ''
  /** Why the last admission was refused, or ended. */
  #refusal = ''
  #isOver = false

  constructor(desired: DesiredPlay, options: PlayOptions) {
    this.#desired = desired
    this.#options = options
    this.#films = new PlayFilms(options.films, desired.items)
    this.#tick()
  }

  /** Applies a change of the service, without a break if the play is at the same place. */
  update(desired: DesiredPlay): void {
    const before = this.#desired
    this.#desired = desired
    const isSame = (...names: readonly (keyof DesiredPlay)[]) =>
      names.every((name) => JSON.stringify(before[name]) === JSON.stringify(desired[name]))
    if (!isSame('items')) this.#films = new PlayFilms(this.#options.films, desired.items)
    if (!isSame('items', 'beginAt', 'loop')) this.#leave()
    this.#askAt = 0
  }

  /** Ends the play, as an encoder ends its stream. */
  stop(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#leave()
    this.#unpublish('unpublish')
  }

  #tick(): void {
    this.#step()
    if (!this.#isOver) this.#timer = setTimeout(() => this.#tick(), this.#publication ? tickMs : this.#waitMs())
  }

  /** Returns the time until the next look: the first picture is due at the begin. */
  #waitMs(): number {
    const left = this.#desired.beginAt - Date.now()
    return left > 0 ? Math.min(watchMs, left) : watchMs
  }

  #step(): void {
    const { endAt } = this.#desired
    if (endAt !== null && Date.now() >= endAt) this.#finish()
    else if (this.#publication) this.#send()
    else this.#prepare()
  }

  /** Prepares the films of its place, and asks for admission when its time has come. */
  #prepare(): void {
    const { beginAt } = this.#desired
    const now = Date.now()
    const place = placeAt(this.#desired, now - beginAt)
    if (!place) return this.#finish()
    this.#films.want(place.index)
    if (!this.#films.isReady(place.index)) return this.#await(now)
    this.#brokenSince = null
    if (now < beginAt) return this.#note('ready')
    this.#note('waiting', this.#refusal)
    if (!this.#isAsking && now >= this.#askAt) void this.#ask()
  }

  /** Waits for films. @param now wall clock, milliseconds */
  #await(now: number): void {
    const broken = this.#films.broken()
    this.#brokenSince = broken === null ? null : (this.#brokenSince ?? now)
    const hasFailed =
      this.#brokenSince !== null && now - Math.max(this.#brokenSince, this.#desired.beginAt) >= patienceMs
    this.#note(hasFailed ? 'failed' : 'preparing', broken ?? '')
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    const { key, run: play, stays } = this.#desired
    const session: IngestSession = {
      end: (_code, message) => this.#end(session, message),
      received: () => 0,
      link: () => plainLink(),
    }
    const request = { app: playEncoder, key, encoder: playEncoder, address: '', play, stays }
    const answer = await this.#options
      .admit(request, session)
      .catch((error: Error): Refused => ({ refuse: error.message }))
    this.#isAsking = false
    this.#askAt = Date.now() + askMs
    if ('refuse' in answer) this.#refusal = answer.refuse
    else if (this.#isOver) answer.ended('unpublish')
    else this.#publish(session, answer)
  }

  #publish(session: IngestSession, sink: Publication): void {
    this.#publication = { session, sink }
    this.#timeline = new PlayTimeline()
    this.#refusal = ''
    this.#note('live')
    clearTimeout(this.#timer)
    this.#tick()
  }

  /** Sends what is due. */
  #send(): void {
    const now = performance.now()
    const offset = Date.now() - now
    const isHeld = now - this.#tickedAt > heldMs || Math.abs(offset - (this.#joined?.offset ?? offset)) > clockMs
    if (isHeld) this.#leave()
    this.#tickedAt = now
    this.#joined ??= this.#join(now, offset)
    if (!this.#joined) return this.#finish()
    const { reel } = this.#joined
    // The relay may end the publication at any message.
    for (const message of reel.take(now)) this.#publication?.sink.take(message)
    if (reel.end === 'over') this.#finish()
    else if (reel.end === 'broken') {
      this.#leave()
      this.#unpublish('socket')
    }
  }

  /** Joins at the place of the clock; null after the last item. */
  #join(now: number, offset: number) {
    const { beginAt, items, loop } = this.#desired
    const place = placeAt(this.#desired, now + offset - beginAt)
    if (!place) return null
    const { onState } = this.#options
    const reel = new Reel(
      {
        items,
        loop,
        films: this.#films,
        timeline: this.#timeline,
        onItem: (index) => this.#note('live', '', index),
        onSkip: (index, words) => onState('live', words.slice(0, wordsMax), index),
      },
      place,
      now,
    )
    return { reel, offset }
  }

  #leave(): void {
    this.#joined?.reel.close()
    this.#joined = null
  }

  /** The relay ended the publication: its broadcast was ended, or moved to another node. */
  #end(session: IngestSession, message: string): void {
    if (this.#publication?.session !== session) return
    this.#publication = null
    this.#refusal = message
    this.#askAt = Date.now() + askMs
    this.#leave()
  }

  #unpublish(how: 'unpublish' | 'socket'): void {
    const sink = this.#publication?.sink
    this.#publication = null
    sink?.ended(how)
  }

  #finish(): void {
    this.stop()
    this.#note('ended')
  }

  #note(state: PlayState, words = '', item?: number): void {
    const reported = JSON.stringify([state, words, item])
    if (reported === this.#reported) return
    this.#reported = reported
    this.#options.onState(state, words.slice(0, wordsMax), item)
  }
}
