// Addresses of the service: written into the document by the service; another host serves them as a file.

export interface Service {
  readonly baseUrl: string
  readonly realtimeUrl: string
}

interface Config {
  readonly baseUrl?: unknown
  readonly realtimeUrl?: unknown
}

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

/** Returns the addresses of the service; without a configuration those of the page. */
export async function serviceAddress(): Promise<Service> {
  const { baseUrl, realtimeUrl } = await configOf()
  const base = typeof baseUrl === 'string' && baseUrl !== '' ? baseUrl : location.origin
  return {
    baseUrl: base,
    realtimeUrl:
      typeof realtimeUrl === 'string' && realtimeUrl !== ''
        ? realtimeUrl
        : `${base.replace(/^http/, 'ws').replace(/\/+$/, '')}/connection/websocket`,
  }
}
