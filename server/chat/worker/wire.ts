// Messages between the service and the worker thread that runs vendors' chat clients.
import type { ChatEvent, ChatReason } from '#server/core/chat.ts'

/** A connection to open. `base`: test server instead of the platform's hosts. */
export type WorkerConnection =
  | { readonly client: 'twitch-irc'; readonly base: string | null; readonly login: string }
  | {
      readonly client: 'twitch-eventsub'
      readonly base: string | null
      readonly broadcasterId: string
      readonly userId: string
      readonly clientId: string
      readonly token: string
      readonly scopes: readonly string[]
    }

export type ToWorker =
  | { readonly do: 'open'; readonly id: number; readonly connection: WorkerConnection }
  | { readonly do: 'close'; readonly id: number }

/** Reports of the thread; it posts them in batches. */
export type FromWorker =
  | { readonly id: number; readonly event: ChatEvent }
  | { readonly id: number; readonly malformed: true }
  /** The connection has ended. `reason`: the platform refuses. */
  | { readonly id: number; readonly ended: { readonly message: string; readonly reason?: ChatReason } }

/** Reports of one connection. */
export interface WorkerReports {
  event(event: ChatEvent): void
  malformed(): void
  lost(message: string): void
  refused(reason: ChatReason, message: string): void
}
