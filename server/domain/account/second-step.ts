// Second step of a sign-in: between the proof of a password or a social login and the code for the exchange.
import type { App, Language } from '#contract/core/wire.ts'
import { hourMs, iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { derivedKey, hashOf, tryUnseal } from '#server/core/secrets.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { audit } from './audit.ts'
import { findGoodCode, issueCode, redeemCode } from './codes.ts'
import {
  findAuthenticator,
  findTries,
  listPasskeys,
  removeTries,
  updateAuthenticatorStep,
  updateRecoveryCodeUsed,
  upsertTries,
} from './factors-store.ts'
import { type Browser, isRemembered, rememberBrowser } from './remembered-browsers.ts'
import { withCode } from './return-to.ts'
import { lockUser } from './store.ts'
import { stepOf } from './totp.ts'

/** Wrong codes that close the step for codes of an app until an hour after the first of them. */
const wrongMax = 20

/** Key that encrypts the secrets of authenticator apps. */
export const authenticatorKey = ({ config }: Pick<Services, 'config'>) => derivedKey(config.secret, 'authenticator')

/** Returns whether a user has a second factor. */
export const hasFactor = async (db: ReadDb, userId: number): Promise<boolean> =>
  ((await findAuthenticator(db, userId))?.date_confirm ?? null) !== null || (await listPasskeys(db, userId)).length > 0

/** A sign-in whose first step is done. */
export interface FirstStep {
  readonly userId: number
  readonly app: App
  /** State of the browser that began; empty: none. */
  readonly state: string
  readonly language: Language
  /** Origin of the service, as the caller reached it. */
  readonly origin: string
  readonly browser: Browser
}

/**
 * Returns the redirect after the first step, in a transaction that has locked the user: with a code for the exchange, or to
 * the page of the second step.
 */
export async function afterFirstStep(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  back: URL,
  { userId, app, state, language, origin, browser }: FirstStep,
): Promise<string> {
  const needsNone = !(await hasFactor(trx, userId)) || (await isRemembered(services, trx, userId, browser))
  if (needsNone) return withCode(services, trx, back, { userId, app, state })
  const code = await issueCode(services, trx, 'second', { userId, app, ...(state !== '' && { state }) })
  const flow = { redirect: back.href, state, app, language, code }
  const filled = Object.entries(flow).filter(([, value]) => value !== '')
  return `${origin}/auth/local/second?${new URLSearchParams(Object.fromEntries(filled)).toString()}`
}

/**
 * Verdict about a factor. `locked`: seconds until codes of an app count again. Of passkeys: `origin` for one that was used at
 * another address, `cloned` for one whose counter went back.
 */
export type Verdict = 'passed' | 'wrong' | 'origin' | 'cloned' | { readonly locked: number }

/** Outcome of a second step. `over`: the first step has to be repeated. `token`: for the cookie of a remembered browser. */
type SecondStep = { readonly to: string; readonly token: string | null } | Exclude<Verdict, 'passed'> | 'over'

/**
 * Ends a sign-in by its second step.
 * @param first challenge of the first step, with the state and the app that it belongs to
 * @param prove verifies the factor inside the transaction
 * @param remember the browser needs no second step from now on
 */
export const finishSignIn = (
  services: Services,
  first: { readonly challenge: string; readonly state: string; readonly back: URL },
  prove: (trx: Trx, userId: number) => Promise<Verdict>,
  { browser, remember }: { readonly browser: Browser; readonly remember: boolean },
): Promise<SecondStep> =>
  transaction(services.db, async (trx) => {
    const { challenge, state, back } = first
    const row = await findGoodCode(services, trx, 'second', challenge)
    if (!row || row.user_id === null || row.state !== (state === '' ? null : hashOf(state))) return 'over'
    const { user_id: userId } = row
    await lockUser(trx, userId)
    const verdict = await prove(trx, userId)
    if (verdict !== 'passed') return verdict
    // A change of the password has removed the challenge.
    if (!(await redeemCode(services, trx, 'second', challenge))) return 'over'
    const token = remember ? await rememberBrowser(services, trx, userId, browser) : null
    const to = await withCode(services, trx, back, { userId, app: row.app as App, state })
    return { to, token }
  })

/** Returns the user of a first step whose challenge is valid now, else null. */
export const userOfFirstStep = async (services: Services, challenge: string): Promise<number | null> =>
  (await findGoodCode(services, services.db, 'second', challenge))?.user_id ?? null

/**
 * Verifies a code of a user, and uses it up: six digits of the app, else a recovery code. In a transaction that has locked the
 * user. Its caller commits a wrong one too, so that it counts.
 */
export async function proveByCode(services: Services, trx: Trx, userId: number, typed: string): Promise<Verdict> {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase()
  if (!/^\d{6}$/.test(code)) {
    const isUsed = await updateRecoveryCodeUsed(trx, userId, hashOf(code), iso(services.clock.now()))
    if (isUsed) await audit(services, trx, 'account.recovery-code', { userId })
    // Recovery codes cannot be guessed, so wrong ones do not count, and right ones end a lock.
    if (isUsed) await removeTries(trx, userId)
    return isUsed ? 'passed' : 'wrong'
  }
  const now = services.clock.now()
  const tries = await findTries(trx, userId)
  const locked = tries ? Math.ceil((Date.parse(tries.date_begin) + hourMs - now.getTime()) / 1000) : 0
  const isCounting = tries !== undefined && locked > 0
  if (isCounting && tries.wrong >= wrongMax) return { locked }
  if (await isCodeOfApp(services, trx, userId, code)) {
    await removeTries(trx, userId)
    return 'passed'
  }
  const wrong = isCounting ? tries.wrong + 1 : 1
  await upsertTries(trx, { user_id: userId, wrong, date_begin: isCounting ? tries.date_begin : iso(now) })
  if (wrong === wrongMax) await audit(services, trx, 'account.factor-locked', { userId })
  return 'wrong'
}

/** Uses up the step of a code. @returns whether the code is current, and its step is unused */
async function isCodeOfApp(services: Services, trx: Trx, userId: number, code: string): Promise<boolean> {
  const row = await findAuthenticator(trx, userId)
  const secret = row?.date_confirm ? tryUnseal(authenticatorKey(services), row.secret_sealed) : null
  const step = secret === null ? null : await stepOf(secret, code, services.clock.now())
  return step !== null && updateAuthenticatorStep(trx, userId, step)
}
