// What the dashboard is pointed at: /config.json beside it, read once at start.
import * as z from 'zod/mini'
import { App, Language } from '#contract/core/wire.ts'

const Config = z.object({
  /** Where the API is, for example `https://api.example.com`. Empty or absent: where the dashboard came from. */
  baseUrl: z.optional(z.nullable(z.string())),
  app: z.optional(App),
  /** Language until a person chooses one. Absent: the browser's. */
  language: z.optional(z.nullable(Language)),
  realtimeUrl: z.optional(z.nullable(z.string())),
  /** Where people can sign in beside the server itself, by the names of `auth/redirect-url`. */
  signIn: z.optional(z.array(z.string())),
})

export interface DashboardConfig {
  readonly baseUrl: string
  readonly app: App
  readonly language: Language | null
  readonly realtimeUrl: string | null
  readonly signIn: readonly string[]
}

/** Reads the configuration. Without a readable one, the dashboard's own origin is the server. */
export async function loadConfig(): Promise<DashboardConfig> {
  const found = Config.safeParse(await fetchConfig())
  const { baseUrl, app, language, realtimeUrl, signIn } = found.success ? found.data : {}
  return {
    baseUrl: baseUrl || location.origin,
    app: app ?? 'site',
    language: language ?? null,
    realtimeUrl: realtimeUrl ?? null,
    signIn: signIn ?? [],
  }
}

async function fetchConfig(): Promise<unknown> {
  try {
    const answer = await fetch('/config.json', { credentials: 'same-origin' })
    return answer.ok ? await answer.json() : {}
  } catch {
    return {}
  }
}
