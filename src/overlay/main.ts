// Entry of the overlay page: reads the address of the service, then starts.
import { startOverlay } from './overlay.ts'

interface Config {
  readonly baseUrl?: unknown
  readonly realtimeUrl?: unknown
}

/** Configuration that the service wrote into the document; another host serves it as a file. */
async function configOf(): Promise<Config> {
  try {
    const written = document.querySelector('#config')?.textContent
    if (written) return Object(JSON.parse(written)) as Config
    const answer = await fetch('/config.json', { credentials: 'omit' })
    return answer.ok ? (Object(await answer.json()) as Config) : {}
  } catch {
    return {}
  }
}

void configOf().then(({ baseUrl, realtimeUrl }) => {
  const base = typeof baseUrl === 'string' && baseUrl !== '' ? baseUrl : location.origin
  const list = document.querySelector<HTMLElement>('#rows')
  const stopped = { run: () => {} }
  const service = {
    baseUrl: base,
    realtimeUrl:
      typeof realtimeUrl === 'string' && realtimeUrl !== ''
        ? realtimeUrl
        : `${base.replace(/^http/, 'ws').replace(/\/+$/, '')}/connection/websocket`,
  }
  const start = () => {
    stopped.run()
    if (list) stopped.run = startOverlay(list, location.hash, service)
  }
  // Other settings in the fragment load no page.
  addEventListener('hashchange', start)
  start()
})
