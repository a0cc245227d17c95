// Settings that every call needs: session, client, language. Set once at start, and again when the user connects to
// another server.
import type { Language } from '#contract/core/wire.ts'
import type { ApiClient } from '#src/session/client.ts'
import type { AuthSession } from '#src/session/types.ts'

export interface ApiRuntime {
  readonly session: AuthSession
  readonly client: ApiClient
  /** Base URL of the API; for pages that show requests. */
  readonly baseUrl: string
  /** URL of the realtime connection, `wss://…`. */
  readonly realtimeUrl: string
  /** Language of the responses; sent with every call that carries one. */
  readonly language: () => Language
}

let current: ApiRuntime | undefined

/** Sets the session, client and language of all calls. */
export function configureApi(runtime: ApiRuntime): void {
  current = runtime
}

/**
 * Returns the configured settings.
 * @throws Error before `configureApi`
 */
export function apiRuntime(): ApiRuntime {
  if (!current) throw new Error('configureApi was not called')
  return current
}
