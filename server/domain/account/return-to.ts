// Where sign-in may send the browser with a one-time code: to dashboards that are ours, and nowhere else.
import type { App } from '#contract/core/wire.ts'
import type { Services } from '#server/core/context.ts'
import type { Settings } from '#server/core/settings.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { issueCode } from './codes.ts'

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The address to return to, or null when it is not allowed.
 * A service that is itself reached on this machine trusts every port of this machine: that is where `npm run dev` is.
 * @param origin where the caller reached the service
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

/** The way back for somebody who has proved who they are: with a code, and the state of the browser that began. */
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
