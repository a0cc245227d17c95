// Asks the service about encoders, players and keys, and remembers the encoders of projects on air while it is away.
import type { FromNode, FromService } from './protocol.ts'
import type { PlayRequest } from './ingest/player.ts'
import type { PublishRequest, Refused } from './ingest/session.ts'
import { Known } from './known.ts'
import { questions } from './questions.ts'
import type { RecordWish } from './recording/recordings.ts'
import type { PlayAdmission } from './relay.ts'
import type { KeyQuestion } from './srt/callers.ts'
import { refusal } from './srt/handshake.ts'
import type { Admission } from './told.ts'

/** Answer of the service for an encoder that it admits. */
export type Allowed = Admission & { readonly record?: RecordWish | undefined }

/** The answers of the service to these questions. */
type Answer = FromService & { type: 'admitted' | 'player-admitted' | 'key' | 'refused' }

export interface Admissions {
  admit(request: PublishRequest): Promise<Allowed | Refused>
  admitPlayer(request: PlayRequest): Promise<PlayAdmission | Refused>
  keyOf(asked: KeyQuestion): Promise<{ readonly key: string } | Refused>
  answer(message: Answer): void
  /** The service wants something else for a project on air. */
  wish(allowed: Allowed): void
  /** A project is off air. */
  forget(projectId: number): void
}

export interface AdmissionOptions {
  /** Whether the line to the service stands. */
  readonly isOpen: () => boolean
  readonly send: (message: FromNode) => void
  /** Projects on air. */
  readonly projects: () => number[]
  /** An encoder was let in. */
  readonly onAllowed: (allowed: Allowed) => void
}

/** Refused at the first attempt, OBS gives up; a service that restarts is back in seconds. Milliseconds. */
const patienceMs = 4_000
/** No key is longer. A message above the limit of the line would close it, for every encoder of the node. */
const keyCharsMax = 500
const appCharsMax = 200
const unknownKey: Refused = { refuse: 'The key is not known' }
const tryLater: Refused = { refuse: 'The service cannot be asked now. Try again in a moment', code: refusal.down }

export function createAdmissions({ isOpen, send, projects, onAllowed }: AdmissionOptions): Admissions {
  const encoders = questions<Allowed | Refused>(isOpen)
  const keys = questions<{ readonly key: string } | Refused>(isOpen)
  const players = questions<PlayAdmission | Refused>(isOpen)
  const known = new Known<Allowed>()

  return {
    async admit(request) {
      if (request.key.length > keyCharsMax) return unknownKey
      const { isEncrypted = false, ...publisher } = { ...request, app: request.app.slice(0, appCharsMax) }
      const patience = known.byKey(request.key) ? 0 : patienceMs
      const verdict = await encoders.ask((id) => send({ type: 'admit', request: id, ...publisher }), patience)
      known.keep(projects())
      if (verdict === null) return known.byKey(request.key) ?? tryLater
      if ('refuse' in verdict) {
        known.refuse(request.key)
      } else {
        known.letIn(verdict, request.key, isEncrypted)
        onAllowed(verdict)
      }
      return verdict
    },
    async admitPlayer(request) {
      if (request.key.length > keyCharsMax) return unknownKey
      return (await players.ask((id) => send({ type: 'admit-player', request: id, ...request }))) ?? tryLater
    },
    async keyOf(asked) {
      const found = await keys.ask((id) => send({ type: 'key', request: id, ...asked }))
      if (found) return found
      known.keep(projects())
      const key = asked.mode === 'publish' ? known.keyOf(asked.number) : null
      return key === null ? tryLater : { key }
    },
    answer(message) {
      if (message.type === 'admitted') return encoders.answer(message.request, message)
      if (message.type === 'player-admitted') return players.answer(message.request, message)
      if (message.type === 'key') return keys.answer(message.request, message)
      const { request, words, reason } = message
      const refused: Refused = { refuse: words, ...(reason && { code: refusal[reason] }) }
      // A number belongs to one question of one kind.
      for (const asked of [encoders, players, keys]) asked.answer(request, refused)
    },
    wish: (allowed) => known.wish(allowed),
    forget: (projectId) => known.forget(projectId),
  }
}
