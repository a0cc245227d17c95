// State of an OAuth authorization while the user is at the provider: purpose, user and redirect. Stored under the hash of the
// state, used once, valid for 15 minutes.
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { derivedKey, hashOf, randomToken, seal, tryUnseal } from '#server/core/secrets.ts'
import type { ProviderName } from '#server/core/settings.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { insertOAuthState, type OAuthStateRow, removeOAuthState, updateOAuthState } from './oauth-state-store.ts'

const lifeMs = 15 * 60_000

/** `platform`: an account to stream to; `community`: one of its communities; `sign-in`; `connect`: another social login. */
export type OAuthPurpose = OAuthStateRow['purpose']

/** Query parameters of the provider's redirect. */
export type OAuthAnswer = Readonly<Record<string, string | undefined>>

/** A begun authorization. */
export interface OAuthState {
  readonly state: string
  readonly provider: ProviderName
  readonly purpose: OAuthPurpose
  readonly userId: number | null
  readonly projectId: number | null
  readonly redirectUri: string
  /** True when an ID token was requested. */
  readonly openid: boolean
  /** Data of the caller, returned with the state. */
  readonly data: Readonly<Record<string, string>>
  /** Answer of the provider, when it was stored (`keepAnswer`). */
  readonly answer: OAuthAnswer | null
}

type Context = Pick<Services, 'clock' | 'config'>

/** Stores a begun authorization. @returns its state, of which only the hash is stored */
export async function rememberState(
  { clock }: Pick<Services, 'clock'>,
  db: Db | Trx,
  { provider, purpose, userId, projectId, redirectUri, openid, data }: Omit<OAuthState, 'state' | 'answer'>,
): Promise<string> {
  const state = randomToken()
  const now = clock.now()
  await insertOAuthState(db, {
    hash: hashOf(state),
    provider,
    purpose,
    user_id: userId,
    project_id: projectId,
    redirect_uri: redirectUri,
    openid: openid ? 1 : 0,
    data: JSON.stringify(data),
    answer_sealed: null,
    date_expire: iso(later(now, lifeMs)),
  })
  return state
}

/**
 * Stores the provider's response until its initiator confirms it (`redeemState`). The first response counts. From then
 * on the authorization is found by a ticket, which only the redirected browser gets: the initiator knows the state, and may
 * have sent another person to consent.
 * @returns the authorization and its ticket, or null when none is waiting
 */
export async function keepAnswer(
  { clock, config }: Context,
  db: Db | Trx,
  by: { readonly provider: ProviderName; readonly purpose: OAuthPurpose; readonly answer: OAuthAnswer },
): Promise<{ readonly begun: OAuthState; readonly ticket: string } | null> {
  const state = by.answer['state'] ?? ''
  const ticket = randomToken()
  const sealed = seal(keyOf(config), JSON.stringify(by.answer))
  const row = await updateOAuthState(
    db,
    { hash: hashOf(state), provider: by.provider, purpose: by.purpose },
    { hash: hashOf(ticket), answer_sealed: sealed },
    iso(clock.now()),
  )
  const begun = row ? read(config, state, row) : null
  return begun && { begun, ticket }
}

/**
 * Uses up an authorization. Null when it is unknown, expired or used; of concurrent calls one gets it.
 * @param by `state`: the state, or the ticket after the response was stored; `userId`: only authorizations of this user
 */
export async function redeemState(
  { clock, config }: Context,
  db: Db | Trx,
  by: { readonly state: string; readonly purposes: readonly OAuthPurpose[]; readonly userId?: number },
): Promise<OAuthState | null> {
  const row = await removeOAuthState(db, { ...by, hash: hashOf(by.state) }, iso(clock.now()))
  return row ? read(config, by.state, row) : null
}

const keyOf = (config: Context['config']) => derivedKey(config.secret, 'oauth answer')

/** Null when `SECRET` has changed since: the authorization has expired. */
function read(config: Context['config'], state: string, row: OAuthStateRow): OAuthState | null {
  const text = row.answer_sealed === null ? 'null' : tryUnseal(keyOf(config), row.answer_sealed)
  if (text === null) return null
  const answer = JSON.parse(text) as OAuthAnswer | null
  return {
    state: answer?.['state'] ?? state,
    provider: row.provider,
    purpose: row.purpose,
    userId: row.user_id,
    projectId: row.project_id,
    redirectUri: row.redirect_uri,
    openid: row.openid === 1,
    data: JSON.parse(row.data) as Record<string, string>,
    answer,
  }
}
