// Allowed redirects with a one-time code after sign-in: dashboards of this service only.
import type { App } from '#contract/core/wire.ts'
import type { Services } from '#server/core/context.ts'
import type { Settings } from '#server/core/settings.ts'
import { env, list, settings } from '#server/core/variables.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { issueCode } from './codes.ts'

export const returnSettings = settings({
  dashboardOrigins: env(
    'DASHBOARD_ORIGINS',
    list,
    '',
    'Other origins that serve a dashboard and to which sign-in may return',
  ),
})

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Returns the URL of the redirect, or null when it is not allowed.
 * A service on a loopback address trusts every port of the loopback interface, for `npm run dev`.
 * @param origin of the service, as the caller reached it
 */
export function returnTo(
  redirect: string | undefined,
  origin: string,
  { dashboardOrigins }: Pick<Settings, 'dashboardOrigins'>,
): URL | null {
  const url = URL.parse(redirect ?? '/auth/callback', origin)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.password !== '') {
    return null
  }
  const own = new URL(origin)
  const near = loopback.has(own.hostname) && loopback.has(url.hostname)
  return url.origin === own.origin || near || dashboardOrigins.includes(url.origin) ? url : null
}

/** Returns the redirect of an authenticated user: with a code, and the state of the browser that began. */
export async function withCode(
  services: Pick<Services, 'clock'>,
  db: Db | Trx,
  back: URL,
  { userId, app, state }: { readonly userId: number; readonly app: App; readonly state: string },
): Promise<string> {
  const bound = { userId, app, ...(state === '' ? {} : { state }) }
  const url = new URL(back)
  url.searchParams.set('code', await issueCode(services, db, 'exchange', bound))
  if (state !== '') url.searchParams.set('state', state)
  return url.href
}
