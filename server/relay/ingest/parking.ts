// Parked encoders: encoders of stopped broadcasts. A disconnected encoder reconnects within seconds (OBS does) and would be on
// air again, so it stays connected and its media is dropped until it may be on air (decision 0023).
import { Packet } from '#server/relay/media/packet.ts'
import { StreamHeaders } from '#server/relay/media/stream-headers.ts'
import { type Message, messageType } from '#server/relay/rtmp/message.ts'
import type { AdmittedEncoder, IngestSink } from './admitted-encoder.ts'
import type { Rank } from './rank.ts'

/** An encoder that reconnects within this time after it lost its connection is the same one, milliseconds. */
const reconnectMs = 60_000

interface Slot {
  readonly projectId: number
  /** Null after the connection was lost. */
  readonly encoder: AdmittedEncoder | null
  readonly since: number
  /** Headers that decoders need: encoders send them once. */
  readonly headers: StreamHeaders
  /** Timestamp of the newest message. */
  lastAt: number
}

export interface Parking {
  /** Keeps an encoder connected and drops its media. Another one of its kind is disconnected. */
  park(projectId: number, encoder: AdmittedEncoder, headers?: readonly Packet[]): void
  /** Returns the encoders of a project that are parked and connected, the main one first. */
  list(projectId: number): readonly AdmittedEncoder[]
  /** Removes an encoder. @returns the headers that decoders need before its next message */
  leave(projectId: number, encoder: AdmittedEncoder): Message[]
  /** Reports all parked encoders; call it each second. */
  watch(now: number): void
}

/** @param report called with each project that has a parked encoder, or (`gone`) no longer has one */
export function createParking(report: (projectId: number, gone: boolean) => void): Parking {
  /** By project and rank. */
  const slots = new Map<string, Slot>()
  const keyOf = (projectId: number, rank: Rank) => `${projectId} ${rank}`
  const find = (projectId: number) =>
    (['main', 'backup'] as const).flatMap((rank) => slots.get(keyOf(projectId, rank)) ?? [])

  function remove(key: string, { projectId }: Slot) {
    slots.delete(key)
    // The stop lasts until both encoders have left.
    if (find(projectId).length === 0) report(projectId, true)
  }

  /** Drops media, and keeps headers. */
  function sinkOf(key: string, slot: Slot): IngestSink {
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
        if (slots.get(key) !== slot) return
        if (how === 'unpublish') remove(key, slot)
        else slots.set(key, { ...slot, encoder: null, since: Date.now() })
      },
    }
  }

  return {
    park(projectId, encoder, packets = []) {
      const key = keyOf(projectId, encoder.rank)
      slots.get(key)?.encoder?.session.end('NetStream.Publish.BadName', 'Another encoder took over')
      const slot: Slot = { projectId, encoder, since: Date.now(), headers: new StreamHeaders(), lastAt: 0 }
      for (const packet of packets) slot.headers.take(packet)
      slots.set(key, slot)
      encoder.sink = sinkOf(key, slot)
      report(projectId, false)
    },
    list: (projectId) => find(projectId).flatMap(({ encoder }) => encoder ?? []),
    leave(projectId, encoder) {
      const key = keyOf(projectId, encoder.rank)
      const slot = slots.get(key)
      if (slot?.encoder !== encoder) return []
      slots.delete(key)
      const { headers, lastAt } = slot
      return headers.packets().map(({ type, payload }) => ({ type, streamId: 1, timestamp: lastAt, payload }))
    },
    watch(now) {
      const connected = new Set<number>()
      for (const [key, slot] of slots)
        if (slot.encoder) connected.add(slot.projectId)
        else if (now - slot.since >= reconnectMs) remove(key, slot)
      for (const projectId of connected) report(projectId, false)
    },
  }
}
