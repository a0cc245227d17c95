// Which server this dashboard speaks to, and the session there. Set up once before the first render.
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

/** What /config.json says, and the server that was chosen by hand if there is one. */
export const dashboard = () => ({ ...config, otherServer: recall('server') })

/** Makes the session of the server in use. */
export function boot(loaded: DashboardConfig): AuthSession {
  config = loaded
  return connect(recall('server') ?? config.baseUrl)
}

/**
 * Points the dashboard at another server and signs in there with a pair of tokens. Only the address is remembered
 * here; the pair goes to the session layer.
 * @throws Error when the address or a token cannot be used
 */
export async function connectToServer(baseUrl: string, pair: TokenPair, projectId: number): Promise<void> {
  const session = connect(baseUrl)
  const { status } = await session.setSession(pair)
  if (status === 'unauthenticated') throw new Error('The pair was not accepted')
  remember('server', baseUrl)
  visitProject(projectId)
}

/** Back to the server this dashboard came from. */
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

/** What the configuration says about its own server; any other one is expected where the service itself has it. */
function realtimeUrlOf(baseUrl: string): string {
  const said = baseUrl === config.baseUrl ? config.realtimeUrl : null
  return said ?? `${baseUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/connection/websocket`
}
