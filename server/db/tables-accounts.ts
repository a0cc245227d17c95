// Tables of accounts and their tokens. Times as ISO 8601 text in UTC.
import type { Generated } from 'kysely'
import type { App, Language } from '#contract/core/wire.ts'
import type { SocialProvider } from '#contract/entities/account.ts'
import type { Currency } from '#contract/entities/project.ts'

export interface AccountTables {
  /** Uploaded files, 2 MB at most; names are random. */
  files: { name: string; content: Uint8Array }
  users: {
    id: Generated<number>
    /** Public id of the account; it cannot be guessed, unlike `id`. */
    external_id: string
    /** 1 for the account that set the service up; null for the others. */
    installation_owner: 1 | null
    /** Lower case. Null for accounts that only have social logins. */
    email: string | null
    /** argon2id in PHC form. */
    password_hash: string | null
    first_name: string
    last_name: string
    /** Name in `files`. */
    photo: string | null
    language: Language
    currency: Currency
    country_id: number
    /** Referral id of this account. */
    ref_id: string
    /** User that invited this account. */
    invited_by: number | null
    last_project_id: number | null
    date_create: string
  }
  /** A session: one sign-in, with one refresh token after the other. */
  token_families: {
    id: Generated<number>
    user_id: number
    app: App
    /** Hash of the fingerprint at sign-in; null when the client sent none. */
    fingerprint: string | null
    user_agent: string
    date_create: string
    /** Time of the sign-in; for a session that was handed over, that of its parent. */
    date_auth: string
    /** Session that handed this one over; both end together. */
    parent_id: number | null
    /** Maximum expiry of all tokens of the family. */
    date_max: string
    date_revoke: string | null
    revoke_reason: string | null
    /** Scopes of a program's session, separated by spaces; null: a sign-in, which has all rights of its user. */
    scopes: string | null
    /** The one project that a program may reach; null: all of its user. */
    project_id: number | null
  }
  /** Personal API tokens. */
  api_tokens: {
    id: Generated<number>
    family_id: number
    /** Hash of the token; the token itself is stored nowhere. */
    hash: string
    name: string
    /** Last four characters of the token. */
    hint: string
    date_use: string | null
    /** Network of the last use, without the part that identifies a household. */
    use_address: Generated<string>
    /** `User-Agent` of the last use. */
    use_program: Generated<string>
  }
  refresh_tokens: {
    id: Generated<number>
    family_id: number
    /** Hash of the token; the token itself is stored nowhere. */
    hash: string
    date_create: string
    /** Idle limit of this token. */
    date_expire: string
    date_use: string | null
    /** Refresh token that replaced this one. */
    successor_id: number | null
    /** The successor, encrypted with this token: only the holder of this token can read it. */
    successor_sealed: string | null
    /** Network of the request, without the part that identifies a household. */
    address: string | null
  }
  /** A social login of a user: at most one per provider. */
  identities: {
    id: Generated<number>
    user_id: number
    provider: SocialProvider
    /** The provider's own id of the account. */
    subject: string
    name: string
    /** URL of a picture at the provider. */
    photo: string | null
    date_create: string
  }
  /** Authenticator app of a user (TOTP, RFC 6238). */
  authenticators: {
    user_id: number
    /** The shared secret in base 32, encrypted. */
    secret_sealed: string
    /** Time step of the last accepted code: a step is accepted once. */
    last_step: number
    date_create: string
    /** Time of the first accepted code; null: not a factor yet. */
    date_confirm: string | null
  }
  /** Passkeys of a user (WebAuthn). */
  passkeys: {
    id: Generated<number>
    user_id: number
    name: string
    /** Id of the credential, base64url. */
    credential: string
    /** Public key in COSE form, base64url. */
    public_key: string
    /** Last signature counter; 0 for authenticators without one. */
    counter: number
    /** Ways to reach the authenticator, separated by commas. */
    transports: string
    /** Host that the passkey belongs to (RP ID). */
    host: string
    date_create: string
    date_use: string | null
  }
  /** Recovery codes of a user. */
  recovery_codes: {
    id: Generated<number>
    user_id: number
    hash: string
    date_create: string
    date_use: string | null
  }
  /** Browsers on which the sign-in of a user needs no second step. */
  remembered_browsers: {
    id: Generated<number>
    user_id: number
    /** Hash of the token in the browser's cookie. */
    hash: string
    user_agent: string
    /** Network of the last use, without the part that identifies a household. */
    address: string
    date_create: string
    date_use: string
    date_expire: string
  }
  /** Wrong codes of second steps since `date_begin`. No row: none. */
  factor_tries: { user_id: number; wrong: number; date_begin: string }
  /** One-time codes: hashed, used once, short-lived. */
  codes: {
    id: Generated<number>
    /** `telegram`: a used signature of the login widget. `email`: the link to a new e-mail. `second`: a sign-in before its second step.
     * `passkey`: the challenge of a passkey. `browser`: a ticket for a stream from a browser. */
    kind:
      | 'exchange'
      | 'owner'
      | 'invite'
      | 'connect'
      | 'telegram'
      | 'recovery'
      | 'email'
      | 'second'
      | 'passkey'
      | 'browser'
    hash: string
    user_id: number | null
    /** Session that is handed over (`exchange`); null at a sign-in. */
    family_id: number | null
    app: string | null
    /** Hash of the state that binds the code: that of the browser that began, or the new e-mail. */
    state: string | null
    date_create: string
    date_expire: string
    date_use: string | null
  }
  /** Audit log. */
  audit: {
    id: Generated<number>
    date_create: string
    kind: string
    user_id: number | null
    family_id: number | null
    details: string | null
  }
}
