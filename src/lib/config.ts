// What the dashboard is pointed at, read once at start: our service writes it into the document, elsewhere it is /config.json.
import { apps, languages } from '#contract/core/codes.ts'
import type { App, Language } from '#contract/core/wire.ts'

export interface DashboardConfig {
  /** Where the API is, for example `https://api.example.com`. Empty or absent: where the dashboard came from. */
  readonly baseUrl: string
  readonly app: App
  /** Language until a person chooses one. Null: the browser's. */
  readonly language: Language | null
  readonly realtimeUrl: string | null
  /** Where people can sign in beside the server itself, by the names of `auth/redirect-url`. */
  readonly signIn: readonly string[]
}

/** Reads the configuration. What is missing or not readable in it is as if the dashboard's own origin were the server. */
export async function loadConfig(): Promise<DashboardConfig> {
  const { baseUrl, app, language, realtimeUrl, signIn } = await fetchConfig()
  return {
    baseUrl: textOf(baseUrl) ?? location.origin,
    app: apps.find((name) => name === app) ?? 'site',
    language: languages.find((name) => name === language) ?? null,
    realtimeUrl: textOf(realtimeUrl),
    signIn: Array.isArray(signIn) ? signIn.filter((name) => typeof name === 'string') : [],
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

async function fetchConfig(): Promise<Record<string, unknown>> {
  try {
    const written = document.querySelector('#config')?.textContent
    if (written) return Object(JSON.parse(written)) as Record<string, unknown>
    const answer = await fetch('/config.json', { credentials: 'same-origin' })
    return Object(answer.ok ? await answer.json() : {}) as Record<string, unknown>
  } catch {
    return {}
  }
}
