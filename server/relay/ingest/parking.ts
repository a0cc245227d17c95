// Encoders of stopped broadcasts. A disconnected encoder reconnects within seconds (OBS does) and would be on air again, so it
// stays connected and its media is dropped until it may be on air (decision 0023).
import { Opening } from '#server/relay/media/opening.ts'
import { Packet } from '#server/relay/media/packet.ts'
import type { Message } from '#server/relay/rtmp/chunks.ts'
import { messageType } from '#server/relay/rtmp/messages.ts'
import type { Guest, Place } from './guest.ts'

/** An encoder that reconnects within this time after it lost its connection is the same one, milliseconds. */
const heldMs = 60_000

interface Parked {
  /** Null after the connection was lost. */
  readonly guest: Guest | null
  readonly since: number
  /** What decoders need to begin: encoders send it once. */
  readonly opening: Opening
  /** Timestamp of the newest message. */
  lastAt: number
}

export interface Parking {
  /** Keeps an encoder connected and drops its media. Another encoder of the project is disconnected. */
  park(projectId: number, guest: Guest, opening?: readonly Packet[]): void
  /** The encoder that is parked and connected. */
  find(projectId: number): Guest | undefined
  /** Ends the parking of an encoder. @returns what decoders need before its next message */
  leave(projectId: number): Message[]
  /** Call it each second. */
  watch(now: number): void
}

/** @param tell a project has a parked encoder, or (`gone`) none any more */
export function createParking(tell: (projectId: number, gone: boolean) => void): Parking {
  const places = new Map<number, Parked>()

  function go(projectId: number) {
    places.delete(projectId)
    tell(projectId, true)
  }

  /** Drops media, and keeps what decoders need. */
  function publication(projectId: number, place: Parked): Place {
    return {
      take(_sent, passed) {
        if (!passed || passed.payload.length === 0) return
        const { type, timestamp, payload } = passed
        if (type !== messageType.audio && type !== messageType.video && type !== messageType.data) return
        place.lastAt = timestamp
        place.opening.take(new Packet(type, timestamp, payload))
      },
      ended(how) {
        if (places.get(projectId) !== place) return
        if (how === 'unpublish') go(projectId)
        else places.set(projectId, { ...place, guest: null, since: Date.now() })
      },
    }
  }

  return {
    park(projectId, guest, packets = []) {
      places.get(projectId)?.guest?.session.end('NetStream.Publish.BadName', 'Another encoder took over')
      const place: Parked = { guest, since: Date.now(), opening: new Opening(), lastAt: 0 }
      for (const packet of packets) place.opening.take(packet)
      places.set(projectId, place)
      guest.place = publication(projectId, place)
      tell(projectId, false)
    },
    find: (projectId) => places.get(projectId)?.guest ?? undefined,
    leave(projectId) {
      const place = places.get(projectId)
      places.delete(projectId)
      if (!place) return []
      const { opening, lastAt } = place
      return opening.packets().map(({ type, payload }) => ({ type, streamId: 1, timestamp: lastAt, payload }))
    },
    watch(now) {
      for (const [projectId, { guest, since }] of places)
        if (guest) tell(projectId, false)
        else if (now - since >= heldMs) go(projectId)
    },
  }
}
