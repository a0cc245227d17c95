// MPEG-TS output of a hub for SRT players and destinations: one ffmpeg for all of them, as long as there is one.
import { sendFlv } from '#server/relay/media/flv-sender.ts'
import type { TransportSink } from '#server/relay/ingest/playback.ts'
import type { Hub } from '#server/relay/media/hub.ts'
import type { OutletCounts } from '#server/relay/media/outlet.ts'
import type { Kept, KeepOptions, Programs } from '#server/relay/programs/programs.ts'
import { transportBytes } from './packets.ts'
import { packetBytes, type TransportPacket, TransportReader } from './transport-packets.ts'

/** Feed of one player or destination. */
export interface TransportFeed {
  /** Counts of payloads. */
  readonly counts: OutletCounts
  /** True while packets are dropped until the next keyframe. */
  readonly dropping: boolean
  close(): void
}

const args = [
  '-hide_banner -loglevel error -nostats -copyts -analyzeduration 1M -f flv -i pipe:0',
  '-map 0:v:0? -map 0:a:0? -c copy -max_interleave_delta 500000 -muxdelay 0 -muxpreload 0',
  '-f mpegts -flush_packets 1 pipe:1',
].flatMap((part) => part.split(' '))

/** Time that ffmpeg continues after the last player has left, milliseconds. */
const lingerMs = 3_000
/** Limit of the group that a new player starts with, bytes. */
const groupBytesMax = 4 * 1024 * 1024

interface Viewing {
  readonly viewer: TransportSink
  waits: boolean
  dropping: boolean
  readonly counts: { packets: number; dropped: number; drops: number }
}

export class TransportStream {
  readonly #hub: Hub
  readonly #programs: Pick<Programs, 'keep'>
  readonly #limit: () => number
  readonly #viewings = new Set<Viewing>()
  #kept: Kept | null = null
  #linger: NodeJS.Timeout | undefined
  #reader = new TransportReader()
  /** Packets since the last start position. */
  #group: Buffer[] = []
  #groupBytes = 0
  #hasGroup = false

  readonly #onIdle: () => void

  /**
   * @param limit queue limit of a player and of ffmpeg, bytes
   * @param onIdle called when ffmpeg ends, because all players have left
   */
  constructor(hub: Hub, programs: Pick<Programs, 'keep'>, limit: () => number, onIdle: () => void = () => undefined) {
    this.#hub = hub
    this.#programs = programs
    this.#limit = limit
    this.#onIdle = onIdle
  }

  /** Adds a player, which starts where a decoder can. */
  add(viewer: TransportSink): TransportFeed {
    const one: Viewing = { viewer, waits: true, dropping: false, counts: { packets: 0, dropped: 0, drops: 0 } }
    this.#viewings.add(one)
    clearTimeout(this.#linger)
    if (this.#hasGroup) this.#send(one, this.#group, true)
    this.#kept ??= this.#programs.keep({ args, attach: (io) => this.#attach(io) })
    return {
      counts: one.counts,
      get dropping() {
        return one.dropping
      },
      close: () => {
        this.#viewings.delete(one)
        if (this.#viewings.size === 0) this.#linger = setTimeout(() => this.#rest(), lingerMs).unref()
      },
    }
  }

  /** Stops ffmpeg. */
  end(): void {
    clearTimeout(this.#linger)
    void this.#kept?.stop()
    this.#kept = null
    this.#forget()
  }

  #rest(): void {
    this.end()
    this.#onIdle()
  }

  #attach({ stdin, stdout }: Parameters<KeepOptions['attach']>[0]): () => void {
    const input = sendFlv(this.#hub, stdin, this.#limit)
    this.#reader = new TransportReader()
    this.#forget()
    const take = (bytes: Buffer) => this.#take(this.#reader.read(bytes))
    stdout.on('data', take)
    return () => {
      stdout.off('data', take)
      input.close()
      this.#forget()
      for (const one of this.#viewings) one.waits = true
    }
  }

  #take(packets: readonly TransportPacket[]): void {
    let from = 0
    for (const [index, { isStart }] of packets.entries()) {
      if (!isStart) continue
      this.#pass(packets.slice(from, index), false)
      from = index
      this.#forget()
      this.#hasGroup = true
    }
    this.#pass(packets.slice(from), packets[from]?.isStart ?? false)
  }

  #pass(packets: readonly TransportPacket[], isStart: boolean): void {
    if (packets.length === 0) return
    const pieces = inPieces(packets.map(({ bytes }) => bytes))
    if (this.#hasGroup) this.#keep(pieces)
    for (const one of this.#viewings) this.#send(one, pieces, isStart)
  }

  #keep(pieces: readonly Buffer[]): void {
    this.#group.push(...pieces)
    this.#groupBytes += pieces.reduce((sum, { length }) => sum + length, 0)
    if (this.#groupBytes > groupBytesMax) this.#forget()
  }

  #forget(): void {
    this.#group = []
    this.#groupBytes = 0
    this.#hasGroup = false
  }

  #send(one: Viewing, pieces: readonly Buffer[], isStart: boolean): void {
    const { viewer } = one
    const queued = viewer.queued()
    if (one.waits) {
      if (!isStart || (one.dropping && queued > this.#limit() / 4)) {
        if (one.dropping) one.counts.dropped += pieces.length
        return
      }
      one.waits = false
      one.dropping = false
      viewer.send(Buffer.concat(this.#reader.opening()))
    } else if (queued > this.#limit()) {
      one.waits = true
      one.dropping = true
      one.counts.drops++
      one.counts.dropped += pieces.length
      return
    }
    one.counts.packets += pieces.length
    for (const piece of pieces) viewer.send(piece)
  }
}

/** Joins packets into payloads, once for all players. */
function inPieces(packets: readonly Buffer[]): Buffer[] {
  const perPiece = transportBytes / packetBytes
  const pieces: Buffer[] = []
  for (let at = 0; at < packets.length; at += perPiece) pieces.push(Buffer.concat(packets.slice(at, at + perPiece)))
  return pieces
}
