// A signed-in tab connected to a server.
import type { ApiClientOptions, ApiRequestInit } from '#src/session/client.ts'
import type { AuthSessionConfig } from '#src/session/types.ts'
import { type BrowserOptions, createFakeBrowser } from './fake-browser.ts'
import { createFakeClock } from './fake-clock.ts'
import { createFakeServer } from './fake-server.ts'

export type Config = Partial<AuthSessionConfig> & { client?: Partial<ApiClientOptions> }

/** Opens a tab and signs in. */
export async function start(mode: 'strict' | 'replay' = 'strict', config: Config = {}, options: BrowserOptions = {}) {
  const clock = createFakeClock()
  const server = createFakeServer(mode)
  const browser = createFakeBrowser(clock, server, { random: () => 0.5, ...options })
  const tab = browser.tab(config)
  /** Runs all immediate work, and a little more. */
  const after = async <T>(work: Promise<T>, ms = 0): Promise<T> => {
    work.catch(() => {})
    await clock.advance(ms)
    return work
  }
  /** Sends requests, advances the time, and returns the results so far. */
  const send = async (times = 1, ms = 0, path = '/method/me', init: ApiRequestInit = {}) => {
    const results: unknown[] = []
    for (let i = 0; i < times; i++) {
      tab.client.request(path, init).then(
        () => results.push('ok'),
        (error: Error) => results.push(error.name),
      )
    }
    await clock.advance(ms)
    return results
  }
  await after(tab.session.setSession(server.mint()))
  return { clock, server, browser, tab, after, send, status: () => tab.session.getSnapshot().status }
}
