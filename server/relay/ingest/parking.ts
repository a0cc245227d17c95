// Encoders whose broadcast a person stopped. One that is disconnected comes back by itself after seconds (OBS does) and would
// be on air again, so it stays connected, and what it sends goes nowhere (decision 0023).
import type { IngestSession, Publication } from './session.ts'

/** How long an encoder that went without a goodbye may be away and is still the same one, milliseconds. */
const heldMs = 60_000

interface Place {
  /** Null: it went without a goodbye. */
  readonly session: IngestSession | null
  readonly since: number
}

export interface Parking {
  /** Keeps an encoder whose broadcast has just ended. */
  park(projectId: number, session: IngestSession): void
  /** Lets one in that may not be on air. The one before it is sent away. */
  take(projectId: number, session: IngestSession): Publication
  /** Its connection ended. Nothing happens where it is not parked. */
  left(projectId: number, session: IngestSession, how: Parameters<Publication['ended']>[0]): void
  /** Disconnects it, so that it begins anew. */
  release(projectId: number): void
  /** Call it each second. */
  watch(now: number): void
}

/** @param tell a project has an encoder that is parked, or (`gone`) none any more */
export function createParking(tell: (projectId: number, gone: boolean) => void): Parking {
  const places = new Map<number, Place>()

  function park(projectId: number, session: IngestSession) {
    places.get(projectId)?.session?.end('NetStream.Publish.BadName', 'Another encoder took over')
    places.set(projectId, { session, since: Date.now() })
    tell(projectId, false)
  }

  function go(projectId: number) {
    places.delete(projectId)
    tell(projectId, true)
  }

  const left: Parking['left'] = (projectId, session, how) => {
    if (places.get(projectId)?.session !== session) return
    if (how === 'unpublish') go(projectId)
    else places.set(projectId, { session: null, since: Date.now() })
  }

  return {
    park,
    take(projectId, session) {
      park(projectId, session)
      return { take: () => undefined, ended: (how) => left(projectId, session, how) }
    },
    left,
    release(projectId) {
      const place = places.get(projectId)
      places.delete(projectId)
      place?.session?.end('NetStream.Unpublish.Success', 'Connect again to be on air')
    },
    watch(now) {
      for (const [projectId, { session, since }] of places)
        if (session) tell(projectId, false)
        else if (now - since >= heldMs) go(projectId)
    },
  }
}
