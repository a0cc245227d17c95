// Security: second factors of the signed-in user. Ours: none of it is published.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime, maybe } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, Nothing, Success } from '#contract/core/wire.ts'

/** Browser on which the sign-in needs no second step. */
export const RememberedBrowser = z.object({
  id: Id,
  /** Browser of the device; empty when unknown. */
  browser: z.string(),
  system: z.string(),
  kind: z.enum(['computer', 'phone', 'tablet', 'other']),
  /** Network of the last use, without the part that identifies a household; empty when unknown. */
  address: z.string(),
  date_create: DateTime,
  /** Time of the last sign-in. */
  date_use: DateTime,
  date_expire: DateTime,
})
export type RememberedBrowser = z.output<typeof RememberedBrowser>

/** A passkey. */
export const Passkey = z.object({
  id: Id,
  name: z.string(),
  /** Host at which it works. */
  host: z.string(),
  date_create: DateTime,
  /** Time of the last sign-in. */
  date_use: maybe(DateTime),
})
export type Passkey = z.output<typeof Passkey>

const binary = z.string().check(z.maxLength(8000))
const credential = {
  id: z.string().check(z.minLength(1), z.maxLength(1500)),
  rawId: z.string().check(z.maxLength(1500)),
  type: z.literal('public-key'),
  clientExtensionResults: z._default(z.object({}), {}),
}

/** Response of a browser to the registration of a passkey (RegistrationResponseJSON of WebAuthn). */
const PasskeyRegistration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: binary,
    attestationObject: binary,
    transports: z.optional(z.array(z.string().check(z.regex(/^[a-z-]{1,20}$/))).check(z.maxLength(10))),
  }),
})

/** Response of a browser to a sign-in by a passkey (AuthenticationResponseJSON of WebAuthn). */
export const PasskeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: binary,
    authenticatorData: binary,
    signature: binary,
    userHandle: z.optional(z.string().check(z.maxLength(200))),
  }),
})

/** Options of WebAuthn in their JSON form, for the browser as they are. */
const BrowserOptions = z.object({ options: z.record(z.string(), z.unknown()) })

const Factors = z.object({
  passkeys: z.array(Passkey),
  /** Time at which the authenticator app was set up; null: there is none. */
  authenticator: maybe(DateTime),
  /** Unused recovery codes. */
  recovery_codes: z.int(),
  browsers: z.array(RememberedBrowser),
})
export type Factors = z.output<typeof Factors>

const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

export const security = group(
  'account.security',
  { prefix: 'account/security', title: 'Security', stale: ['account.security'] },
  {
    get: read('', {
      name: 'Second factors of the signed-in person',
      input: Nothing,
      output: Factors,
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
    }),
    beginAuthenticator: write('POST', 'authenticator', {
      name: 'Begin to set up an authenticator app',
      input: Nothing,
      output: z.object({ secret: z.string(), uri: z.string() }),
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
      replay: 'never',
      notes: { secret: 'base 32, to type by hand', uri: 'for a QR code' },
      stale: [],
    }),
    confirmAuthenticator: write('POST', 'authenticator/confirm', {
      name: 'Finish to set up an authenticator app',
      input: z.object({ code: z.string().check(z.minLength(1), z.maxLength(20)) }),
      output: RecoveryCodes,
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
      revokes: true,
      replay: 'never',
      notes: {
        code: 'six digits that the app shows',
        recovery_codes: 'shown once; empty where the account has some already',
      },
      stale: ['account.security', 'account.sessions', 'projects.projects.list'],
    }),
    removeAuthenticator: write('POST', 'authenticator/remove', {
      name: 'Remove the authenticator app',
      input: Nothing,
      output: Success,
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
    }),
    beginPasskey: write('POST', 'passkeys/begin', {
      name: 'Begin to add a passkey',
      input: Nothing,
      output: BrowserOptions,
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
      replay: 'never',
      stale: [],
    }),
    addPasskey: write('POST', 'passkeys', {
      name: 'Add a passkey',
      input: z.object({ name: z.string().check(z.minLength(1), z.maxLength(100)), response: PasskeyRegistration }),
      output: RecoveryCodes,
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
      revokes: true,
      replay: 'never',
      notes: { recovery_codes: 'shown once; empty where the account has some already' },
      stale: ['account.security', 'account.sessions', 'projects.projects.list'],
    }),
    removePasskey: write('POST', 'passkeys/remove', {
      name: 'Remove a passkey',
      input: z.object({ passkey_id: Id }),
      output: Success,
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
    }),
    askPasskey: write('POST', 'passkeys/ask', {
      name: 'Begin to confirm the sign-in by a passkey',
      input: Nothing,
      output: BrowserOptions,
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
      replay: 'never',
      stale: [],
    }),
    renewCodes: write('POST', 'recovery-codes', {
      name: 'Replace the recovery codes',
      input: Nothing,
      output: RecoveryCodes,
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
      replay: 'never',
      notes: { recovery_codes: 'shown once; the former ones end' },
    }),
    forgetBrowser: write('POST', 'browsers/remove', {
      name: 'Forget a browser',
      input: z.object({ browser_id: Id }),
      output: Success,
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
    }),
  },
)
