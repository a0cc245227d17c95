// What a handler gets beside its input.
import type { Logger } from 'pino'
import type { Auth } from '#contract/core/operation.ts'
import type { Language } from '#contract/core/wire.ts'
import type { Channel } from '#contract/events/channels.ts'
import type { Publication } from '#contract/events/publications.ts'
import type { AccessType } from '#contract/entities/roles.ts'
import type { Db } from '#server/db/open.ts'
import type { Clock } from './clock.ts'
import type { Limits } from './limits.ts'
import type { Settings } from './settings.ts'

/** The signed-in person, as the access token says. */
export interface User {
  readonly id: number
  /** Family of the token: one sign-in on one device. */
  readonly sessionId: number
}

/** Who calls, and what they are in the project that the call names. */
export interface Admission {
  readonly user: User
  /** Null: no member, no such project, or none was named. */
  readonly accessType: AccessType | null
}

/** The project that the operation is about, and the caller's role in it. */
export interface ProjectAccess {
  readonly id: number
  readonly accessType: AccessType
}

/** A still picture of a project on air. */
export interface Poster {
  /** When it was taken, milliseconds. */
  readonly at: number
  readonly jpeg: Buffer
}

/** How a project on air can be looked at. */
export interface Sight {
  /** The last still; null before the first, and without ffmpeg. */
  readonly poster: Poster | null
  /** Whether the node can take stills. */
  readonly ffmpeg: boolean
}

/** How much a pull key is used. Bitrate in kbps. */
export interface Fetching {
  readonly id: number
  readonly viewers: number
  readonly kbps: number
}

/** What the service may ask of the relay nodes. Whoever has the project on air hears it; nobody does where none has. */
export interface RelayControl {
  /** Tries a channel again at once. */
  retry(projectId: number, channelId: number): void
  /** Ends a broadcast, and keeps its encoder from coming back by itself. */
  stop(projectId: number): void
  /** How a project can be looked at; null: no node that is known has it on air. */
  sight(projectId: number): Sight | null
  /** Pull keys by which the project is fetched through this service now. */
  fetching(projectId: number): readonly Fetching[]
  /** Whether a node is connected, here or to another replica. */
  has(node: string): boolean
  /** Has nodes take recordings from their disks that were deleted; those that are away do so when they come. */
  clear(): void
}

/** What the service may ask of the realtime connections: the hub in this process, or a Centrifugo. */
export interface RealtimeControl {
  /** Sends to whoever listens. Never waits and never throws. */
  publish(channel: Channel, data: Publication): void
  /** Somebody's rights or session may have ended: connections that have lost theirs end too. */
  recheck(): void
}

/** What every part of the service works with, whoever calls. */
export interface Services {
  readonly db: Db
  readonly clock: Clock
  readonly config: Settings
  readonly limits: Limits
  readonly log: Logger
  readonly relay: RelayControl
  readonly realtime: RealtimeControl
}

/** The call itself. */
export interface Call extends Services {
  readonly language: Language
  readonly requestId: string
  /** Where the call came from, as far as it can be trusted (TRUST_PROXY). */
  readonly address: string
  readonly userAgent: string
  /** The `Cookie` header; empty when there is none. */
  readonly cookie: string
  /** Where the caller reached the service: PUBLIC_URL, or the address of the request. */
  readonly origin: string
}

/** A context by what the operation's `auth` promises. */
export type Context<A extends Auth = Auth> = Call & {
  /** Makes what aborts when the caller is gone. */
  readonly gone: () => AbortSignal
  readonly user: A extends 'none' ? User | null : User
  readonly project: A extends 'none' | 'session' ? null : ProjectAccess
}
