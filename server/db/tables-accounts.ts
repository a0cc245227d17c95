// Tables of accounts and of the tokens they sign in with (migrations 0001, 0009 and 0019). Times as ISO 8601 text in UTC.
import type { Generated } from 'kysely'
import type { Language } from '#contract/core/wire.ts'
import type { SocialProvider } from '#contract/entities/account.ts'
import type { Currency } from '#contract/entities/project.ts'

export interface AccountTables {
  users: {
    id: Generated<number>
    /** What other people know the account by; ids are not for guessing. */
    external_id: string
    /** 1 for the one who set the service up, and for nobody else. */
    installation_owner: 1 | null
    /** Lower case. Null for accounts that sign in somewhere else. */
    email: string | null
    /** argon2id in PHC form. */
    password_hash: string | null
    first_name: string
    last_name: string
    /** File name below `files/`. */
    photo: string | null
    language: Language
    currency: Currency
    country_id: number
    /** Whom this account invites as. */
    ref_id: string
    /** Who invited it. */
    invited_by: number | null
    last_project_id: number | null
    date_create: string
  }
  /** A sign-in and everything that comes from it: one row of refresh tokens, one after the other. */
  token_families: {
    id: Generated<number>
    user_id: number
    app: string
    /** Hash of what the client said at sign-in; null when it said nothing. */
    fingerprint: string | null
    user_agent: string
    date_create: string
    /** Time of the sign-in; a session that was handed over has its parent's. */
    date_auth: string
    /** Session that handed this one over; it ends with it. */
    parent_id: number | null
    /** Nothing of the family lives longer. */
    date_max: string
    date_revoke: string | null
    revoke_reason: string | null
  }
  refresh_tokens: {
    id: Generated<number>
    family_id: number
    /** The token itself is nowhere. */
    hash: string
    date_create: string
    /** Idle limit of this token. */
    date_expire: string
    date_use: string | null
    /** What it was exchanged for. */
    successor_id: number | null
    /** The successor, sealed with this token: whoever has the token may see what it became, nobody else. */
    successor_sealed: string | null
    /** Network that asked for it, without the part that names one household. */
    address: string | null
  }
  /** An account elsewhere that somebody signs in with. One of each provider for a person. */
  identities: {
    id: Generated<number>
    user_id: number
    provider: SocialProvider
    /** The provider's own id of the account. */
    subject: string
    name: string
    /** Address of a picture at the provider. */
    photo: string | null
    date_create: string
  }
  /** One-time codes: hashed, used once, soon dead. */
  codes: {
    id: Generated<number>
    /** `telegram`: a signature of the login widget that was used. `email`: of the link to a new address. */
    kind: 'exchange' | 'owner' | 'invite' | 'connect' | 'telegram' | 'recovery' | 'email'
    hash: string
    user_id: number | null
    /** Session that hands itself over (`exchange`); null at a sign-in. */
    family_id: number | null
    app: string | null
    /** Hash of what the code is bound to: the state of the browser that began, the new address. */
    state: string | null
    date_create: string
    date_expire: string
    date_use: string | null
  }
  /** What somebody may have to look into later. */
  audit: {
    id: Generated<number>
    date_create: string
    kind: string
    user_id: number | null
    family_id: number | null
    details: string | null
  }
}
