// Context of a handler: the services, the call, the user and the project.
import type { DesiredPlay } from '#contract/entities/play.ts'
import type { DesiredRemote } from '#contract/entities/remote-source.ts'
import type { Bus } from './bus.ts'
import type { Logger } from 'pino'
import type { Auth } from '#contract/core/operation.ts'
import type { Scope } from '#contract/core/scopes.ts'
import type { Language } from '#contract/core/wire.ts'
import type { Channel } from '#contract/events/channels.ts'
import type { Publication } from '#contract/events/publications.ts'
import type { AccessType } from '#contract/entities/roles.ts'
import type { Db, ReadDb } from '#server/db/open.ts'
import type { ChatControl } from './chat.ts'
import type { Clock } from './clock.ts'
import type { Limits } from './limits.ts'
import type { PlatformAdapters } from './platform-adapter.ts'
import type { Settings } from './settings.ts'

/** What a program may do of its user's rights: it holds an API token, and no sign-in. */
export interface Grant {
  readonly scopes: readonly Scope[]
  /** The one project that it reaches; null: all projects of the user. */
  readonly projectId: number | null
  /** The widget that holds it; null: another program. */
  readonly widgetId: number | null
}

/** The user of the access token. */
export interface User {
  readonly id: number
  /** Token family of the session: one sign-in on one device, or one grant of a program. */
  readonly sessionId: number
  /** Null: a sign-in, which has all rights of the user. */
  readonly grant: Grant | null
}

/** The calling program: its address, and the headers of the call. */
export interface Caller {
  readonly ip: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> & {
    readonly 'user-agent'?: string | undefined
  }
}

/** The caller, and the role in the project that the call names. */
export interface Admission {
  readonly user: User
  /** Null: the caller is not a member, the project does not exist, or the call names none. */
  readonly accessType: AccessType | null
  /** An operator has suspended the project. */
  readonly isSuspended: boolean
  /** The project or the installation demands a second factor that the caller has not. */
  readonly lacksFactor: boolean
}

/** The project of the operation, and the caller's role in it. */
export interface ProjectAccess {
  readonly id: number
  readonly accessType: AccessType
}

/** A still frame of a project on air. */
export interface Poster {
  /** Time of the frame, Unix milliseconds. */
  readonly at: number
  readonly jpeg: Buffer
}

/** Sources of the preview of a project on air. */
export interface PreviewSources {
  /** The last still frame; null before the first one, and without ffmpeg. */
  readonly poster: Poster | null
  /** True when the node can capture still frames. */
  readonly ffmpeg: boolean
}

/** Usage of a pull key. Bitrate in kbps. */
export interface Fetching {
  readonly id: number
  readonly viewers: number
  readonly kbps: number
}

/** Preparation of a film: its secret name, the ticket of its files, the bytes of the upload, and the most that it may have. */
export interface Preparing {
  readonly job: string
  readonly ticket: string
  readonly bytes: number
  readonly bytesMax: number
}

/** Commands for relay nodes. They reach the node that has the project on air, and have no effect without one. */
export interface RelayControl {
  /** Retries a channel immediately. */
  retry(projectId: number, channelId: number): void
  /** Ends a broadcast, and keeps its encoder off air when it reconnects. */
  stop(projectId: number): void
  /** Returns the last second of a project at a node of this replica, as `broadcasts.sample` has it; null for other projects. */
  newestSample(projectId: number): string | null
  /** Returns the sources of a project's preview; null when no known node has the project on air. */
  previewSources(projectId: number): PreviewSources | null
  /** Returns whether a node would take the stream of a browser for a project. */
  takesBrowser(projectId: number): boolean
  /** Returns the pull keys through which clients fetch the project from this service now. */
  fetching(projectId: number): readonly Fetching[]
  /**
   * Drains a node: it accepts no new projects, and ends when none is left.
   * @param ms time after which it disconnects the encoders that are left, milliseconds; null: it accepts again
   */
  drain(node: string, ms: number | null): void
  /** Sends a node the remote sources that it fetches; it ends all others. */
  fetch(node: string, remotes: readonly DesiredRemote[]): void
  /** Returns the names of nodes that would prepare a film now, the least busy first. */
  preparers(): readonly string[]
  /** Has a node prepare a film. */
  prepare(node: string, work: Preparing): void
  /** Sends a node the scheduled files that it plays; it ends all others. */
  play(node: string, plays: readonly DesiredPlay[]): void
  /** Returns whether a node is connected, to this replica or to another one. */
  has(node: string): boolean
  /** Returns whether a node of a machine is connected, to this replica or to another one. */
  hasMachine(machine: string): boolean
  /** Returns the machines of all connected nodes. */
  machines(): readonly string[]
  /** Returns the TCP ports of this machine's relay while another program uses one of them; else null. */
  takenPorts(): readonly number[] | null
  /** Has nodes delete the files of removed recordings. Disconnected nodes do so when they reconnect. */
  clear(): void
}

/** Commands for realtime connections: the hub in this process, or a Centrifugo server. */
export interface RealtimeControl {
  /** Publishes to the subscribers of a channel. Never waits and never throws. */
  publish(channel: Channel, data: Publication): void
  /** Returns whether a page on any replica shows the live state of a project. */
  isWatched(projectId: number): boolean
  /** Declares for half a minute that the live state of a project is shown. */
  watch(projectId: number): void
  /** Closes connections whose session or permission has ended. */
  recheck(): void
}

/** Cached settings and plans of the installation. */
export interface InstallationCaches {
  /** Drops them on every replica. Call it after the commit of a change. */
  drop(): void
}

/** Services that every module of the server uses, independent of the caller. */
export interface Services {
  readonly db: Db
  readonly clock: Clock
  readonly config: Settings
  readonly limits: Limits
  readonly log: Logger
  readonly relay: RelayControl
  readonly realtime: RealtimeControl
  readonly caches: InstallationCaches
  readonly chat: ChatControl
  readonly bus: Bus
  /** APIs of the platforms. */
  readonly platforms: PlatformAdapters
}

/** Services of a function that only reads: their database begins no statement that writes. */
export type Reading<S extends { readonly db: ReadDb }> = Omit<S, 'db'> & { readonly db: ReadDb }

/** One call of an operation. */
export interface Call extends Services {
  readonly language: Language
  readonly requestId: string
  /** Address of the caller, as far as `TRUST_PROXY` allows. */
  readonly address: string
  readonly userAgent: string
  /** The `Cookie` header; empty when the request has none. */
  readonly cookie: string
  /** Origin that the caller used: PUBLIC_URL, or the host of the request. */
  readonly origin: string
}

/** Context of a handler, by the `auth` of its operation. */
export type Context<A extends Auth = Auth> = Call & {
  /** Creates a signal that aborts when the caller disconnects. */
  readonly gone: () => AbortSignal
  readonly user: A extends 'none' ? User | null : User
  readonly project: A extends 'none' | 'session' | 'operator' ? null : ProjectAccess
}
