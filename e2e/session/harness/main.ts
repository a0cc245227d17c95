// Page of the session tests: a session, its client and a query cache, accessible from `page.evaluate`.
import { createSessionQueryClient, wakeQueriesAfter } from '#src/api/query-client.ts'
import { createApiClient, unauthorizedBy, type ApiRequestInit } from '#src/session/client.ts'
import { createAuthSession } from '#src/session/session.ts'
import type { AuthEvent, AuthSession, RefreshTiming } from '#src/session/types.ts'

export interface RigOptions {
  baseUrl?: string
  timing?: Partial<RefreshTiming>
  fingerprint?: string
  rejectedStatuses?: number[]
  unauthorizedNames?: string[]
  /** Runs in the page before the session is made. */
  before?: string
}

/** Result of a request: its response, or the error by name. */
export type Result =
  | { ok: true; body: unknown }
  | { ok: false; name: string; status?: number; message: string; more: Record<string, unknown> }

function createRig(options: RigOptions) {
  const { timing, fingerprint, rejectedStatuses } = options
  const baseUrl = options.baseUrl ?? location.origin
  const session: AuthSession = createAuthSession({
    baseUrl,
    apiVersion: '1',
    language: 'en',
    app: 'site',
    ...(timing ? { timing } : {}),
    ...(fingerprint ? { fingerprint: () => fingerprint } : {}),
    ...(rejectedStatuses ? { rejectedStatuses } : {}),
  })
  const client = createApiClient({ session, baseUrl, isUnauthorized: unauthorizedBy(options.unauthorizedNames) })
  const events: AuthEvent[] = []
  session.onAuthStateChange((event) => events.push(event))
  session.subscribe(() => {
    const output = document.querySelector('#status')
    if (output) output.textContent = session.getSnapshot().status
  })
  const queries = createSessionQueryClient(session)
  wakeQueriesAfter(session)

  const rig = {
    session,
    client,
    events,
    queries,
    async send(path: string, init: ApiRequestInit = {}): Promise<Result> {
      try {
        const { body } = await client.request(path, init)
        return { ok: true, body }
      } catch (error) {
        const { name, message, ...more } = error as Error & { status?: number }
        const { headers: _, ...plain } = more as Record<string, unknown>
        return { ok: false, name, message, more: plain, ...(more.status ? { status: more.status } : {}) }
      }
    },
    get: (name: string, times = 1) => Promise.all(Array.from({ length: times }, () => rig.send(`/method/${name}`))),
    /** Waits for a moment that all tabs share. */
    async at(time: number) {
      while (Date.now() < time) await new Promise((resolve) => void setTimeout(resolve, Math.max(0, time - Date.now())))
    },
    token: async () => (await session.getAccessToken())?.value ?? null,
    snapshot: () => session.getSnapshot(),
    types: () => events.map((event) => event.type),
  }
  return rig
}

export type Rig = ReturnType<typeof createRig>

declare global {
  interface Window {
    rig: Rig
    createRig: typeof createRig
  }
}

const options = JSON.parse(new URLSearchParams(location.search).get('options') ?? '{}') as RigOptions
window.createRig = createRig
window.rig = createRig(options)
void window.rig.session.initialize()
