// What every call needs and only the application knows: the session, its client, the language. Set once at start, and
// again when the person connects to another server.
import type { Language } from '#contract/core/wire.ts'
import type { ApiClient } from '#src/session/client.ts'
import type { AuthSession } from '#src/session/types.ts'

export interface ApiRuntime {
  readonly session: AuthSession
  readonly client: ApiClient
  /** Where the API is; for pages that show requests. */
  readonly baseUrl: string
  /** Where changes come from, `wss://…`. */
  readonly realtimeUrl: string
  /** Language of the answers; sent with every call that carries one. */
  readonly language: () => Language
}

let current: ApiRuntime | undefined

/** Tells the calls what to work with. */
export function configureApi(runtime: ApiRuntime): void {
  current = runtime
}

/**
 * What was configured.
 * @throws Error before `configureApi`
 */
export function apiRuntime(): ApiRuntime {
  if (!current) throw new Error('configureApi was not called')
  return current
}
