// Passkeys (WebAuthn): registration, sign-in without a password, and the second step. They belong to the host of the service.
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { insertion, isDuplicate, transaction } from '#server/db/transaction.ts'
import { audit } from './audit.ts'
import { issueCode, redeemCode } from './codes.ts'
import { proveFresh } from './credentials.ts'
import { addFactor, factorRemoved } from './factors.ts'
import {
  findPasskey,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
  removePasskeys,
  updatePasskeyUsed,
} from './factors-store.ts'
import type { Verdict } from './second-step.ts'
import { updateSignInTime } from './sessions-store.ts'
import { getUser, lockUser } from './store.ts'

/** Loaded with the first use, to save memory until then. */
const library = () => import('@simplewebauthn/server')
type Library = Awaited<ReturnType<typeof library>>

/** Response of an authenticator to a registration, and to a sign-in. */
export type Registration = Parameters<Library['verifyRegistrationResponse']>[0]['response']
export type Assertion = Parameters<Library['verifyAuthenticationResponse']>[0]['response']

const passkeysMax = 20
/** EdDSA, ES256 and RS256 (COSE): what authenticators have. */
const supportedAlgorithmIDs = [-8, -7, -257]
const hostOf = (origin: string): string => new URL(origin).hostname
const transportsOf = ({ transports }: PasskeyRow): string[] => transports.split(',').filter(Boolean)

/**
 * Begins to add a passkey. @returns options for the browser
 * @throws RuleError `SignInAgain`, `PasskeyLimit`
 */
export async function beginPasskey(services: Services, user: User, origin: string) {
  await proveFresh(services, user)
  const { email, first_name, external_id } = await getUser(services.db, user.id)
  const known = await listPasskeys(services.db, user.id)
  if (known.length >= passkeysMax) throw new RuleError('PasskeyLimit', { max: passkeysMax })
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: 'Relaydeck',
    rpID: hostOf(origin),
    userName: email ?? first_name,
    userDisplayName: first_name,
    userID: new TextEncoder().encode(external_id),
    challenge: await issueCode(services, services.db, 'passkey', { userId: user.id }),
    excludeCredentials: known.map((row) => ({ id: row.credential, transports: transportsOf(row) })),
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/**
 * Adds a passkey.
 * @returns recovery codes, where the account had no factor yet
 * @throws RuleError `SignInAgain`, `PasskeyRefused`, `PasskeyOrigin`, `PasskeyKnown`
 */
export async function addPasskey(
  services: Services,
  user: User,
  { name, response, origin }: { readonly name: string; readonly response: Registration; readonly origin: string },
): Promise<readonly string[]> {
  await proveFresh(services, user)
  const { verifyRegistrationResponse } = await library()
  if (isElsewhere(response.response.clientDataJSON, origin)) throw wrongOrigin(origin)
  try {
    return await insertion(services.db, async (trx) => {
      await lockUser(trx, user.id)
      const { registrationInfo: info } = await verifyRegistrationResponse({
        response,
        expectedChallenge: (challenge) => isChallengeOf(services, trx, challenge, user.id),
        expectedOrigin: origin,
        expectedRPID: hostOf(origin),
        supportedAlgorithmIDs,
      }).catch(refused)
      if (!info) throw refusal()
      const codes = await addFactor(services, trx, user)
      await insertPasskey(trx, {
        user_id: user.id,
        name,
        credential: info.credential.id,
        public_key: Buffer.from(info.credential.publicKey).toString('base64url'),
        counter: info.credential.counter,
        transports: (info.credential.transports ?? []).join(','),
        host: hostOf(origin),
        date_create: iso(services.clock.now()),
        date_use: null,
      })
      return codes
    })
  } catch (error) {
    throw isDuplicate(error) ? new RuleError('PasskeyKnown') : error
  }
}

/** Removes a passkey. @throws RuleError `SignInAgain`, `PasskeyNotFound` */
export async function dropPasskey(services: Services, user: User, id: number): Promise<void> {
  await proveFresh(services, user)
  await transaction(services.db, async (trx) => {
    await lockUser(trx, user.id)
    const isRemoved = (await removePasskeys(trx, user.id, id)) > 0
    if (!isRemoved) throw new RuleError('PasskeyNotFound')
    await factorRemoved(services, trx, user.id)
  })
}

/** Begins a sign-in by a passkey. @param userId the account that signs in; null: any, without a password. @returns options for the browser */
export async function askPasskey(services: Services, origin: string, userId: number | null) {
  const { generateAuthenticationOptions } = await library()
  const known = userId === null ? [] : await listPasskeys(services.db, userId)
  return generateAuthenticationOptions({
    rpID: hostOf(origin),
    challenge: await issueCode(services, services.db, 'passkey', userId === null ? {} : { userId }),
    allowCredentials: known
      .filter(({ host }) => host === hostOf(origin))
      .map((row) => ({ id: row.credential, transports: transportsOf(row) })),
    userVerification: 'required',
  })
}

/**
 * Verifies the response of a passkey and uses up its challenge, in a transaction. Locks the user.
 * @param userId the account that it has to belong to; null: any
 * @returns the account, with the verdict; null: none has this passkey
 */
export async function proveByPasskey(
  services: Services,
  trx: Trx,
  { response, origin }: { readonly response: Assertion; readonly origin: string },
  userId: number | null,
): Promise<{ readonly userId: number; readonly verdict: Verdict } | null> {
  const owner = (await findPasskey(trx, response.id))?.user_id
  if (owner === undefined || (userId !== null && owner !== userId)) return null
  await lockUser(trx, owner)
  if (isElsewhere(response.response.clientDataJSON, origin)) return { userId: owner, verdict: 'origin' }
  const row = await findPasskey(trx, response.id)
  const counter = row ? await counterOf(services, trx, row, { response, origin }) : null
  if (!row || counter === null) return { userId: owner, verdict: 'wrong' }
  // Each signature of an authenticator with a counter has a higher one, so a lower one is of a copy.
  if (counter <= row.counter && (counter > 0 || row.counter > 0)) {
    await audit(services, trx, 'account.passkey-cloned', { userId: owner })
    return { userId: owner, verdict: 'cloned' }
  }
  const isUsed = await updatePasskeyUsed(trx, row, { counter, now: iso(services.clock.now()) })
  return { userId: owner, verdict: isUsed ? 'passed' : 'cloned' }
}

/**
 * Renews the sign-in time of a session by a passkey.
 * @throws RuleError `PasskeyRefused`, `PasskeyOrigin`, `PasskeyCloned`
 */
export async function renewByPasskey(
  services: Services,
  user: User,
  about: { readonly response: Assertion; readonly origin: string },
): Promise<void> {
  const verdict = await transaction(services.db, async (trx) => {
    const proof = await proveByPasskey(services, trx, about, user.id)
    if (proof?.verdict === 'passed') await updateSignInTime(trx, user.sessionId, iso(services.clock.now()))
    return proof?.verdict ?? 'wrong'
  })
  if (verdict === 'origin') throw wrongOrigin(about.origin)
  if (verdict === 'cloned') throw new RuleError('PasskeyCloned')
  if (verdict !== 'passed') throw refusal()
}

/** Verifies a signature. @returns its counter; null for another signature or challenge */
async function counterOf(
  services: Services,
  trx: Trx,
  row: PasskeyRow,
  { response, origin }: { readonly response: Assertion; readonly origin: string },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => isChallengeOf(services, trx, challenge, row.user_id),
      expectedOrigin: origin,
      expectedRPID: row.host,
      // The counter is compared by the caller.
      credential: {
        id: row.credential,
        publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
        counter: 0,
      },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    // The library names each reason; all of them are one to the user.
    return null
  }
}

/** Uses up a challenge. @returns whether it is valid, and of this user or of no one yet */
async function isChallengeOf(services: Services, trx: Trx, challenge: string, userId: number): Promise<boolean> {
  const row = await redeemCode(services, trx, 'passkey', Buffer.from(challenge, 'base64url').toString('utf8'))
  return row !== null && (row.user_id === null || row.user_id === userId)
}

/** Returns whether the browser names another origin than that of the service. */
function isElsewhere(clientData: string, origin: string): boolean {
  try {
    const { origin: named } = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8')) as { origin?: unknown }
    return typeof named === 'string' && named !== origin
  } catch {
    return false
  }
}

const refusal = () => new RuleError('PasskeyRefused')
const wrongOrigin = (origin: string) => new RuleError('PasskeyOrigin', { origin })

function refused(): never {
  throw refusal()
}
