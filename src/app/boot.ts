// Server of this dashboard, and its session. Set up once before the first render.
import type { TokenPair } from '#contract/areas/account/auth.ts'
import { configureApi } from '#src/api/runtime.ts'
import type { DashboardConfig } from '#src/lib/config.ts'
import { currentLanguage } from '#src/lib/i18n.ts'
import { recall, remember } from '#src/lib/storage.ts'
import { createApiClient } from '#src/session/client.ts'
import { createAuthSession } from '#src/session/session.ts'
import type { AuthSession } from '#src/session/types.ts'
import { visitProject } from '#src/stores/selected-project.ts'
import { configureAuth } from '#src/stores/session.ts'

let config: DashboardConfig

/** Content of /config.json, and the server that the user chose, if any. */
export const dashboard = () => ({ ...config, otherServer: recall('server') })

/** Creates the session of the server in use. */
export function boot(loaded: DashboardConfig): AuthSession {
  config = loaded
  return connect(recall('server') ?? config.baseUrl)
}

/**
 * Connects the dashboard to another server and signs in there with a pair of tokens. Only the URL is stored here; the
 * pair goes to the session layer.
 * @throws Error for an invalid address or token
 */
export async function connectToServer(baseUrl: string, pair: TokenPair, projectId: number): Promise<void> {
  const session = connect(baseUrl)
  const { status } = await session.setSession(pair)
  if (status === 'unauthenticated') throw new Error('The pair was not accepted')
  remember('server', baseUrl)
  visitProject(projectId)
}

/** Returns to the dashboard's own server. */
export function disconnectFromServer(): void {
  remember('server', null)
}

function connect(baseUrl: string): AuthSession {
  const session = createAuthSession({ baseUrl, apiVersion: '1', app: config.app, language: currentLanguage })
  configureApi({
    session,
    client: createApiClient({ session, baseUrl }),
    baseUrl,
    realtimeUrl: realtimeUrlOf(baseUrl),
    language: currentLanguage,
  })
  configureAuth(session)
  return session
}

/**
 * Realtime URL of a server: the configured one for the dashboard's own server, else the default path of the service.
 */
function realtimeUrlOf(baseUrl: string): string {
  const said = baseUrl === config.baseUrl ? config.realtimeUrl : null
  return said ?? `${baseUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/connection/websocket`
}
