// Parked encoders: encoders of stopped broadcasts. A disconnected encoder reconnects within seconds (OBS does) and would be on
// air again, so it stays connected and its media is dropped until it may be on air (decision 0023).
import { Packet } from '#server/relay/media/packet.ts'
import { StreamHeaders } from '#server/relay/media/stream-headers.ts'
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import type { AdmittedEncoder, IngestSink } from './admitted-encoder.ts'

/** An encoder that reconnects within this time after it lost its connection is the same one, milliseconds. */
const reconnectMs = 60_000

interface Slot {
  /** Null after the connection was lost. */
  readonly encoder: AdmittedEncoder | null
  readonly since: number
  /** Headers that decoders need: encoders send them once. */
  readonly headers: StreamHeaders
  /** Timestamp of the newest message. */
  lastAt: number
}

export interface Parking {
  /** Keeps an encoder connected and drops its media. Another encoder of the project is disconnected. */
  park(projectId: number, encoder: AdmittedEncoder, headers?: readonly Packet[]): void
  /** Returns the encoder that is parked and connected. */
  find(projectId: number): AdmittedEncoder | undefined
  /** Removes an encoder. @returns the headers that decoders need before its next message */
  leave(projectId: number): Message[]
  /** Reports all parked encoders; call it each second. */
  watch(now: number): void
}

/** @param report called with each project that has a parked encoder, or (`gone`) no longer has one */
export function createParking(report: (projectId: number, gone: boolean) => void): Parking {
  const slots = new Map<number, Slot>()

  function remove(projectId: number) {
    slots.delete(projectId)
    report(projectId, true)
  }

  /** Drops media, and keeps headers. */
  function sinkOf(projectId: number, slot: Slot): IngestSink {
    return {
      take(_received, tracks) {
        const forwarded = tracks.find(({ isMain }) => isMain)?.message
        if (!forwarded || forwarded.payload.length === 0) return
        const { type, timestamp, payload } = forwarded
        if (type !== messageType.audio && type !== messageType.video && type !== messageType.data) return
        slot.lastAt = timestamp
        slot.headers.take(new Packet(type, timestamp, payload))
      },
      ended(how) {
        if (slots.get(projectId) !== slot) return
        if (how === 'unpublish') remove(projectId)
        else slots.set(projectId, { ...slot, encoder: null, since: Date.now() })
      },
    }
  }

  return {
    park(projectId, encoder, packets = []) {
      slots.get(projectId)?.encoder?.session.end('NetStream.Publish.BadName', 'Another encoder took over')
      const slot: Slot = { encoder, since: Date.now(), headers: new StreamHeaders(), lastAt: 0 }
      for (const packet of packets) slot.headers.take(packet)
      slots.set(projectId, slot)
      encoder.sink = sinkOf(projectId, slot)
      report(projectId, false)
    },
    find: (projectId) => slots.get(projectId)?.encoder ?? undefined,
    leave(projectId) {
      const slot = slots.get(projectId)
      slots.delete(projectId)
      if (!slot) return []
      const { headers, lastAt } = slot
      return headers.packets().map(({ type, payload }) => ({ type, streamId: 1, timestamp: lastAt, payload }))
    },
    watch(now) {
      for (const [projectId, { encoder, since }] of slots)
        if (encoder) report(projectId, false)
        else if (now - since >= reconnectMs) remove(projectId)
    },
  }
}
