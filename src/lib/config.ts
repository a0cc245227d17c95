// Configuration of the dashboard, read once at start: our service writes it into the document, other hosts serve
// /config.json.
import { apps, languages } from '#contract/core/codes.ts'
import type { App, Language } from '#contract/core/wire.ts'

export interface DashboardConfig {
  /** Base URL of the API, for example `https://api.example.com`. Empty or absent: the origin of the dashboard. */
  readonly baseUrl: string
  readonly app: App
  /** Language until the user chooses one. Null: the browser's. */
  readonly language: Language | null
  readonly realtimeUrl: string | null
  /** Social logins of the server, by the names of `auth/redirect-url`. */
  readonly signIn: readonly string[]
  /** Names of the operator's policies. */
  readonly policies: readonly string[]
}

/** Reads the configuration. Missing or unreadable values default to the dashboard's own origin as server. */
export async function loadConfig(): Promise<DashboardConfig> {
  const { baseUrl, app, language, realtimeUrl, signIn, policies } = await fetchConfig()
  return {
    baseUrl: textOf(baseUrl) ?? location.origin,
    app: apps.find((name) => name === app) ?? 'site',
    language: languages.find((name) => name === language) ?? null,
    realtimeUrl: textOf(realtimeUrl),
    signIn: textsOf(signIn),
    policies: textsOf(policies),
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []

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
