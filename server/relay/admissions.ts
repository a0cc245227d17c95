// Requests admission of encoders and players, and SRT keys, from the service. Serves encoders on air from a cache while the service is
// unreachable.
import type { PlayRequest } from './ingest/playback.ts'
import type { FromNode } from '#contract/relay/from-node.ts'
import type { FromService } from '#contract/relay/from-service.ts'
import type { Handlers, MessageOf } from '#contract/relay/protocol.ts'
import { AdmissionCache } from './admission-cache.ts'
import type { PlayGrant, PublishGrant } from './grants.ts'
import type { KeyRequest, PublishRequest } from './ingest/publication.ts'
import { refusal, type Refused } from './ingest/refusal.ts'
import { setTimeout as wait } from 'node:timers/promises'

// Pending requests of a node to the service: numbered, with a timeout.

/** Requests of one kind. All kinds share the numbers, so a response matches one request at most. */
interface PendingRequests<Response> {
  /**
   * Sends a request and waits for its response, 5 s at most.
   * @param send sends the message under this number
   * @param patienceMs wait for a connection, milliseconds; default: 0
   * @returns null on timeout or without a connection
   */
  request(send: (request: number) => void, patienceMs?: number): Promise<Response | null>
  /** Settles a request. Ignores unknown numbers. */
  settle(request: number, response: Response): void
  /** Sends the requests that wait again: the connection that had them has closed, and their responses are lost. */
  repeat(): void
}

const timeoutMs = 5_000
const pollMs = 100
let requests = 0

/** @param isOpen returns true when the connection to the service is open */
function pendingRequests<Response>(isOpen: () => boolean): PendingRequests<Response> {
  const pending = new Map<number, { readonly settle: (response: Response) => void; readonly send: () => void }>()
  return {
    async request(send, patienceMs = 0) {
      for (const end = Date.now() + patienceMs; !isOpen(); await wait(pollMs)) if (Date.now() >= end) return null
      const request = ++requests
      return new Promise((resolve) => {
        const settle = (response: Response | null) => {
          clearTimeout(timer)
          pending.delete(request)
          resolve(response)
        }
        const timer = setTimeout(() => settle(null), timeoutMs)
        const one = { settle, send: () => send(request) }
        pending.set(request, one)
        one.send()
      })
    },
    settle: (request, response) => pending.get(request)?.settle(response),
    repeat() {
      for (const { send } of pending.values()) send()
    },
  }
}

type Responses = 'admitted' | 'player-admitted' | 'key' | 'refused'

export interface Admissions {
  admit(request: PublishRequest): Promise<PublishGrant | Refused>
  admitPlayer(request: PlayRequest): Promise<PlayGrant | Refused>
  keyOf(request: KeyRequest): Promise<{ readonly key: string } | Refused>
  /** Call it with each new connection to the service: sends the requests again whose responses were lost. */
  repeat(): void
  /** Handlers of the service's responses. */
  readonly handlers: Pick<Handlers<FromService>, Responses>
  /** Updates the cache with the new desired state of a project on air. */
  update(grant: PublishGrant): void
  /** Removes a project that is off air from the cache. */
  forget(projectId: number): void
}

export interface AdmissionOptions {
  /** Returns true when the connection to the service is open. */
  readonly isOpen: () => boolean
  readonly send: (message: FromNode) => void
  /** Projects on air. */
  readonly projects: () => number[]
  /** Returns true when the node accepts no new projects. */
  readonly isFull: () => boolean
  /** Returns true when the node admits no encoder any more: it is about to end. */
  readonly isClosed: () => boolean
  /** Called with the grant of each admitted encoder. */
  readonly onGrant: (grant: PublishGrant) => void
}

/** Wait for the service, milliseconds: OBS gives up when its first attempt is refused, and a service restarts within seconds. */
const patienceMs = 4_000
/** Longer than any key. A message above the limit of the connection would close it, for every encoder of the node. */
const keyCharsMax = 500
const appCharsMax = 200
const unknownKey: Refused = { refuse: 'The key is not known' }
const tryLater: Refused = { refuse: 'The service cannot be asked now. Try again in a moment', code: refusal.down }

const ending: Refused = { refuse: 'This server ends now. Connect again', code: refusal.down }

export function createAdmissions({ isOpen, send, projects, isFull, isClosed, onGrant }: AdmissionOptions): Admissions {
  const encoders = pendingRequests<PublishGrant | Refused>(isOpen)
  const keys = pendingRequests<{ readonly key: string } | Refused>(isOpen)
  const players = pendingRequests<PlayGrant | Refused>(isOpen)
  const cache = new AdmissionCache<PublishGrant>()

  return {
    async admit(request) {
      if (request.key.length > keyCharsMax) return unknownKey
      if (isClosed()) return ending
      const {
        isEncrypted = false,
        isParked = false,
        isBackup = false,
        play,
        stays: _,
        ...publisher
      } = { ...request, app: request.app.slice(0, appCharsMax) }
      const patience = cache.byKey(request.key) ? 0 : patienceMs
      const full = isFull() && !isParked && { isFull: true }
      const verdict = await encoders.request(
        (id) =>
          send({
            type: 'admit',
            request: id,
            ...publisher,
            ...(isBackup && { isBackup }),
            ...(play !== undefined && { play }),
            ...full,
          }),
        patience,
      )
      cache.keep(projects())
      if (verdict === null) return cache.byKey(request.key) ?? tryLater
      if ('refuse' in verdict) {
        // The key of a refused play is valid for encoders.
        if (play === undefined) cache.refuse(request.key)
      } else {
        cache.add(verdict, request.key, isEncrypted)
        onGrant(verdict)
      }
      return verdict
    },
    async admitPlayer(request) {
      if (request.key.length > keyCharsMax) return unknownKey
      return (await players.request((id) => send({ type: 'admit-player', request: id, ...request }))) ?? tryLater
    },
    async keyOf(request) {
      const found = await keys.request((id) => send({ type: 'key', request: id, ...request }))
      if (found) return found
      cache.keep(projects())
      const key = request.mode === 'publish' ? cache.keyOf(request.number) : null
      return key === null ? tryLater : { key }
    },
    repeat() {
      for (const pending of [encoders, players, keys]) pending.repeat()
    },
    handlers: {
      admitted: ({ request, ...grant }) => encoders.settle(request, grant),
      'player-admitted': ({ request, ...grant }) => players.settle(request, grant),
      key: ({ request, key }) => keys.settle(request, { key }),
      refused(message: MessageOf<FromService, 'refused'>) {
        const { request, words, reason } = message
        const refused: Refused = { refuse: words, ...(reason && { code: refusal[reason] }) }
        // The number matches one request of one kind.
        for (const pending of [encoders, players, keys]) pending.settle(request, refused)
      },
    },
    update: (grant) => cache.update(grant),
    forget: (projectId) => cache.forget(projectId),
  }
}
