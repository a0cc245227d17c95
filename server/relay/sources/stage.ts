// What a stream shows: an encoder; while none sends, a picture or a clip of the project, else the last frame; in a pause, a picture or a
// clip, else nothing.
// An encoder beside the one that is shown has a feed of its own, and takes over with a keyframe.
import type { FillKind } from '#contract/entities/on-air.ts'
import type { Slates } from '#contract/relay/desired-state.ts'
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import { isFrame } from '#server/relay/media/codecs.ts'
import type { Hub, StreamFacts } from '#server/relay/media/hub.ts'
import { isMedia, Packet } from '#server/relay/media/packet.ts'
import { StreamHeaders } from '#server/relay/media/stream-headers.ts'
import { Entry } from './entry.ts'
import { Film } from '#server/relay/library/film.ts'
import { Fill, type Slate } from './fill.ts'
import { PauseGate } from './pause-gate.ts'
import type { SlateShelf } from './slates.ts'

/** Shorter interruptions are ignored, milliseconds. */
const afterMs = 1_000

/**
 * `waits`: the media is dropped. `returns`: it is dropped, and the encoder is no longer lost: the picture of a pause stays.
 * `enters`: it replaces what was shown.
 */
export type Taken = 'waits' | 'returns' | 'enters' | 'continues'

/** Way of one encoder into a stream. */
export interface Feed {
  readonly entry: Entry
  /** Headers of the encoder; those of the stream may be of a picture, or of another encoder. */
  readonly headers: StreamHeaders
}

export class Stage {
  readonly hub: Hub
  readonly #shelf: SlateShelf
  readonly #fill: Fill
  readonly #gate: PauseGate
  /** Feed of the encoder that is shown, or that was shown last. */
  #feed: Feed
  /** Feed whose headers the stream has, apart from those of pictures. */
  #entered: Feed | null = null
  #slates: Slates = {}
  /** Facts of the encoder's stream; those of the hub may be of a picture. */
  #facts: StreamFacts
  /** The encoder is lost; `#isLost` after the delay. */
  #isAway = false
  #isLost = false
  /** Nothing is shown in the place of the encoder, until one sends. */
  #isResting = false
  #timer: NodeJS.Timeout | undefined
  /** Loop of the last frame, from the loss until the encoder returns. */
  #frozen: Slate | null = null

  /** @param isSilent the sound of the stream is silence by choice */
  constructor(hub: Hub, shelf: SlateShelf, isSilent = false) {
    this.hub = hub
    this.#shelf = shelf
    this.#fill = new Fill(hub, { isSilent, onFail: () => this.#show() })
    this.#gate = new PauseGate(hub)
    this.#feed = this.beside()
    this.#facts = hub.facts()
  }

  get isPaused(): boolean {
    return this.#gate.isPaused
  }

  /** True when the stream has media: always, except in a pause without a picture. */
  get isShowing(): boolean {
    return !this.#gate.isPaused || this.#fill.slate !== null
  }

  /** What is shown in the place of the encoder; null: nothing. */
  get fill(): FillKind | null {
    const { slate } = this.#fill
    if (!slate) return null
    return slate === this.#frozen ? 'frame' : slate instanceof Film ? 'clip' : 'picture'
  }

  /** Another encoder begins. @param isFirst its media enters immediately, not with its next keyframe */
  begin(isFirst = false): Feed {
    this.#feed = feedOf(this.hub, isFirst)
    if (isFirst) this.#entered = this.#feed
    this.#isResting = false
    return this.#feed
  }

  /** Another encoder begins beside the one that is shown. */
  beside(): Feed {
    return feedOf(this.hub, false)
  }

  /** The media of the encoder has a gap: it enters again with a keyframe. */
  interrupt(): void {
    this.#feed.entry.close()
  }

  /** Keeps the headers of an encoder beside the one that is shown, and drops its media. */
  note(message: Message, { entry, headers }: Feed): void {
    entry.close()
    if (isFrame(message)) return
    entry.note(message)
    keep(headers, message)
  }

  /** Handles a message of an encoder that may be shown. @param now wall clock, milliseconds */
  take(message: Message, now: number, feed: Feed = this.#feed): Taken {
    const { entry, headers } = feed
    if (!isFrame(message)) keep(headers, message)
    if (this.#gate.isPaused && this.#fill.slate) {
      entry.note(message)
      if (feed !== this.#feed || !this.#isAway || !isFrame(message)) return 'waits'
      this.#find()
      return 'returns'
    }
    const wasOpen = entry.isOpen
    const messages = entry.take(message, now)
    if (!messages) return 'waits'
    if (!wasOpen) this.#enter(feed, messages, message, now)
    this.push(wasOpen ? messages : [message], now)
    return wasOpen ? 'continues' : 'enters'
  }

  /** The media of an encoder replaces what was shown, behind its headers. @param first its first frame */
  #enter(feed: Feed, messages: readonly Message[], first: Message, now: number): void {
    if (feed !== this.#feed) this.#feed.entry.close()
    this.#feed = feed
    this.#recover()
    this.#isResting = false
    this.hub.cut(first)
    // Those of another encoder are replaced whole; an encoder that enters again may have sent its headers before.
    const isOther = feed !== this.#entered
    this.#entered = feed
    const { timestamp } = first
    if (isOther) return this.push(headersAt(feed, timestamp), now)
    const before = messages.slice(0, -1)
    if (!before.some(({ type }) => type === messageType.video)) this.#restoreHeader(feed, timestamp, now)
    this.push(before, now)
  }

  /** Sends messages that follow those of the encoder. */
  push(messages: readonly Message[], now: number): void {
    for (const message of messages) if (this.#gate.passes(message)) this.hub.push([message], now)
  }

  /** The encoder is lost. @param delayMs milliseconds until something else is shown; default: 1,000 */
  lose(delayMs: number = afterMs): void {
    this.#feed.entry.close()
    // The picture of a pause stays.
    if (this.#gate.isPaused) clearTimeout(this.#timer)
    else this.#recover()
    this.#isAway = true
    this.#timer = setTimeout(() => {
      this.#isLost = true
      this.#frozen = this.#fill.frozen()
      this.#show()
    }, delayMs)
  }

  setPaused(isPaused: boolean): void {
    if (isPaused === this.#gate.isPaused) return
    this.#gate.set(isPaused)
    // A picture in the pause is shown until the encoder enters again.
    if (isPaused || this.#isLost) this.#show()
  }

  /** Applies the pictures and clips of the project. */
  setSlates(slates: Slates): void {
    this.#slates = slates
    this.watch()
  }

  /** Prepares the pictures and clips, and shows those that are ready now; call it each second. */
  watch(): void {
    for (const file of [this.#slates.lost, this.#slates.pause]) this.#slate(file)
    if (this.#gate.isPaused || this.#isLost) this.#show()
  }

  /** Shows nothing in the place of the encoder, until one sends. */
  rest(): void {
    this.#isResting = true
    this.#recover()
  }

  #recover(): void {
    this.#find()
    this.#fill.stop()
  }

  /** The encoder is no longer lost. */
  #find(): void {
    clearTimeout(this.#timer)
    this.#isAway = this.#isLost = false
    this.#frozen = null
  }

  #show(): void {
    if (this.#isResting) return
    const slate = this.#gate.isPaused
      ? this.#slate(this.#slates.pause)
      : (this.#slate(this.#slates.lost) ?? this.#frozen)
    if (slate === this.#fill.slate) return
    if (!slate) return this.#fill.stop()
    this.#feed.entry.close()
    this.#fill.play(slate)
  }

  /** Returns a picture or a clip in the form of the encoder's stream; null while it is prepared, and without one. */
  #slate(file: string | undefined): Slate | null {
    // While the entry is open, the header of the stream is that of the encoder.
    if (this.#feed.entry.isOpen || this.#facts.videoCodec === '') this.#facts = this.hub.facts()
    const { videoCodec, ...facts } = this.#facts
    const isPossible = file !== undefined && videoCodec === 'avc1'
    return isPossible ? this.#shelf.get(file, { ...facts, sound: this.#fill.sound }) : null
  }

  /** A picture has a header of its own; an encoder that stayed connected has sent its header before. */
  #restoreHeader({ headers }: Feed, timestamp: number, now: number): void {
    const header = headers.header('video')
    if (!header || this.hub.header('video')?.payload.equals(header.payload)) return
    const { type, payload } = header
    this.push([{ type, streamId: 1, timestamp, payload }], now)
  }
}

const feedOf = (hub: Hub, isOpen: boolean): Feed => ({ entry: new Entry(hub, isOpen), headers: new StreamHeaders() })

const headersAt = ({ headers }: Feed, timestamp: number): readonly Message[] =>
  headers.packets().map(({ type, payload }) => ({ type, streamId: 1, timestamp, payload }))

function keep(headers: StreamHeaders, { type, timestamp, payload }: Message): void {
  if (payload.length > 0 && isMedia(type)) headers.take(new Packet(type, timestamp, payload))
}
