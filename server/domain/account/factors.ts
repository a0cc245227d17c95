// Second factors of an account: its authenticator app, its recovery codes, the browsers that it remembers.
import { randomBytes } from 'node:crypto'
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { hashOf, seal, tryUnseal } from '#server/core/secrets.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { audit } from './audit.ts'
import { proveFresh } from './credentials.ts'
import { deviceOf } from './devices.ts'
import {
  countRecoveryCodes,
  findAuthenticator,
  hasDemand,
  insertRecoveryCodes,
  listBrowsers,
  listPasskeys,
  removeAuthenticator,
  removeBrowsers,
  removePasskeys,
  removeRecoveryCodes,
  removeTries,
  updateAuthenticatorConfirmed,
  updateAuthenticatorStep,
  upsertAuthenticator,
} from './factors-store.ts'
import { authenticatorKey, hasFactor } from './second-step.ts'
import { endOthers } from './sessions.ts'
import { getUser, lockUser } from './store.ts'
import { addressOf, clockOffset, newSecret, stepOf } from './totp.ts'

const codesCount = 10
/** Letters and digits of recovery codes (Crockford's base 32): none looks like another one. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 80 random bits: a plain hash of such a code is sufficient. */
const codeLetters = 16

/** Returns the second factors of a user. */
export async function listFactors({ clock }: Pick<Services, 'clock'>, db: ReadDb, userId: number) {
  const authenticator = await findAuthenticator(db, userId)
  const browsers = await listBrowsers(db, userId, iso(clock.now()))
  const passkeys = await listPasskeys(db, userId)
  return {
    passkeys: passkeys.map(({ id, name, host, date_create, date_use }) => ({ id, name, host, date_create, date_use })),
    authenticator: authenticator?.date_confirm ?? null,
    recoveryCodes: await countRecoveryCodes(db, userId),
    browsers: browsers.map(({ user_agent, ...row }) => ({ ...row, ...deviceOf(user_agent) })),
  }
}

/**
 * Makes the secret of an authenticator app. The app becomes a factor with its first code (`confirmAuthenticator`).
 * @throws RuleError `SignInAgain`, `AuthenticatorSet`
 */
export async function beginAuthenticator(
  services: Services,
  user: User,
): Promise<{ readonly secret: string; readonly uri: string }> {
  await proveFresh(services, user)
  const secret = await newSecret()
  const { email, first_name } = await getUser(services.db, user.id)
  await transaction(services.db, async (trx) => {
    await lockUser(trx, user.id)
    const known = await findAuthenticator(trx, user.id)
    if (known?.date_confirm) throw new RuleError('AuthenticatorSet')
    await upsertAuthenticator(trx, {
      user_id: user.id,
      secret_sealed: seal(authenticatorKey(services), secret),
      last_step: 0,
      date_create: iso(services.clock.now()),
      date_confirm: null,
    })
  })
  return { secret, uri: await addressOf(secret, email ?? first_name) }
}

/**
 * Makes the app a factor, by its first code.
 * @returns recovery codes, where the account has none yet
 * @throws RuleError `SignInAgain`, `AuthenticatorMissing`, `CodeWrong`; `CodeClock` with the seconds that the phone's clock is off
 */
export async function confirmAuthenticator(services: Services, user: User, typed: string): Promise<readonly string[]> {
  await proveFresh(services, user)
  const now = services.clock.now()
  return transaction(services.db, async (trx) => {
    await lockUser(trx, user.id)
    const row = await findAuthenticator(trx, user.id)
    const secret = row && !row.date_confirm ? tryUnseal(authenticatorKey(services), row.secret_sealed) : null
    if (secret === null) throw new RuleError('AuthenticatorMissing')
    const code = typed.replaceAll(/\s/g, '')
    const step = await stepOf(secret, code, now)
    if (step === null) throw wrongCode(await clockOffset(secret, code, now))
    const codes = await addFactor(services, trx, user)
    await updateAuthenticatorConfirmed(trx, user.id, iso(now))
    await updateAuthenticatorStep(trx, user.id, step)
    return codes
  })
}

function wrongCode(seconds: number | null): RuleError {
  if (seconds === null) return new RuleError('CodeWrong_app')
  const reason = seconds > 0 ? 'ahead' : 'behind'
  return new RuleError(`CodeClock_${reason}`, { seconds: Math.abs(seconds), reason })
}

/**
 * What the first factor of an account changes: other sessions end, because they signed in without it.
 * @returns recovery codes; none where the account has a factor already
 */
export async function addFactor(services: Services, trx: Trx, user: User): Promise<readonly string[]> {
  await audit(services, trx, 'account.factor-added', { userId: user.id, familyId: user.sessionId })
  if (await hasFactor(trx, user.id)) return []
  await endOthers(services, trx, user, 'factor')
  return replaceRecoveryCodes(services, trx, user.id)
}

/** Removes the authenticator app. @throws RuleError `SignInAgain`, `AuthenticatorMissing` */
export async function dropAuthenticator(services: Services, user: User): Promise<void> {
  await proveFresh(services, user)
  await transaction(services.db, async (trx) => {
    await lockUser(trx, user.id)
    if (!(await findAuthenticator(trx, user.id))) {
      throw new RuleError('AuthenticatorMissing')
    }
    await removeAuthenticator(trx, user.id)
    await factorRemoved(services, trx, user.id)
  })
}

/** Removes what belongs to factors, after the last one. @throws RuleError `FactorDemanded` for the last one under a demand */
export async function factorRemoved(services: Services, trx: Trx, userId: number): Promise<void> {
  await audit(services, trx, 'account.factor-removed', { userId })
  if (await hasFactor(trx, userId)) return
  if (await hasDemand(trx, userId)) throw new RuleError('FactorDemanded')
  await removeFactorParts(trx, userId)
}

async function removeFactorParts(trx: Trx, userId: number): Promise<void> {
  await removeRecoveryCodes(trx, userId)
  await removeBrowsers(trx, userId)
  await removeTries(trx, userId)
}

/**
 * Removes all factors of a user and ends every session, for the console of the service.
 * @returns false when there was none, and nothing changes
 */
export const dropFactors = (services: Services, userId: number): Promise<boolean> =>
  transaction(services.db, async (trx) => {
    await lockUser(trx, userId)
    if (!(await hasFactor(trx, userId))) return false
    await removeAuthenticator(trx, userId)
    await removePasskeys(trx, userId)
    await audit(services, trx, 'account.factor-removed', { userId })
    await removeFactorParts(trx, userId)
    await endOthers(services, trx, { id: userId }, 'factor')
    return true
  })

/** Replaces the recovery codes. @throws RuleError `SignInAgain`, `FactorMissing` */
export async function renewRecoveryCodes(services: Services, user: User): Promise<readonly string[]> {
  await proveFresh(services, user)
  return transaction(services.db, async (trx) => {
    await lockUser(trx, user.id)
    if (!(await hasFactor(trx, user.id))) throw new RuleError('FactorMissing')
    await audit(services, trx, 'account.recovery-codes', { userId: user.id, familyId: user.sessionId })
    return replaceRecoveryCodes(services, trx, user.id)
  })
}

async function replaceRecoveryCodes(services: Services, trx: Trx, userId: number): Promise<readonly string[]> {
  const codes = Array.from({ length: codesCount }, newRecoveryCode)
  const date_create = iso(services.clock.now())
  await removeRecoveryCodes(trx, userId)
  await insertRecoveryCodes(
    trx,
    codes.map((code) => ({ user_id: userId, hash: hashOf(code.replaceAll('-', '')), date_create, date_use: null })),
  )
  return codes
}

/** @example '7K3M-Q2XW-9T4B-HN6D' */
const newRecoveryCode = (): string =>
  [...randomBytes(codeLetters)]
    .map((byte) => letters[byte % letters.length])
    .join('')
    .replaceAll(/(.{4})(?=.)/g, '$1-')
