// Browsers that need no second step for 30 days. The browser has a random token, the database its hash.
import { dayMs, iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { hashOf, randomToken } from '#server/core/secrets.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { audit } from './audit.ts'
import { maskAddress } from './devices.ts'
import { insertBrowser, removeBrowsers, updateBrowserHash, updateBrowserUsed } from './factors-store.ts'

export const rememberedDays = 30

/** The browser of a sign-in. */
export interface Browser {
  /** Value of its cookie; null: none. */
  readonly token: string | null
  readonly userAgent: string
  /** Address of the caller. */
  readonly address: string
}

/** Returns whether a user remembers this browser, and marks it as used. */
export const isRemembered = async (
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  userId: number,
  { token, address }: Browser,
): Promise<boolean> =>
  token !== null &&
  (await updateBrowserUsed(trx, {
    userId,
    hash: hashOf(token),
    now: iso(clock.now()),
    address: maskAddress(address),
  }))

/** Remembers a browser. @returns its new token: one that the browser had before could be known to others */
export async function rememberBrowser(
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  userId: number,
  { token, userAgent, address }: Browser,
): Promise<string> {
  const now = clock.now()
  const next = randomToken()
  if (token !== null) {
    await removeBrowsers(trx, userId, { hash: hashOf(token) })
    // Other accounts keep the browser.
    await updateBrowserHash(trx, hashOf(token), hashOf(next))
  }
  await insertBrowser(trx, {
    user_id: userId,
    hash: hashOf(next),
    user_agent: userAgent.slice(0, 500),
    address: maskAddress(address),
    date_create: iso(now),
    date_use: iso(now),
    date_expire: iso(later(now, rememberedDays * dayMs)),
  })
  return next
}

/** Forgets a browser. @throws RuleError `BrowserNotFound`, also for browsers of other users */
export const forgetBrowser = (services: Services, userId: number, id: number): Promise<void> =>
  transaction(services.db, async (trx) => {
    if ((await removeBrowsers(trx, userId, { id })) === 0) {
      throw new RuleError('BrowserNotFound')
    }
    await audit(services, trx, 'account.browser-forgotten', { userId })
  })
