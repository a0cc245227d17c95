// What is remembered while a person is at a provider: who asked, for what, and where to. One row per beginning, known
// by the hash of its state only, used once, soon dead.
import type { Selectable } from 'kysely'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { derivedKey, hashOf, randomToken, seal, unseal } from '#server/core/secrets.ts'
import type { ProviderName } from '#server/core/settings.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

const lifeMs = 15 * 60_000

/** What the person is asked for: an account to stream to, a community of one, a way to sign in, another such way. */
export type OAuthPurpose = 'platform' | 'community' | 'sign-in' | 'connect'

/** What a provider added to the address that it sent the browser back to. */
export type OAuthAnswer = Readonly<Record<string, string | undefined>>

/** A beginning. */
export interface OAuthState {
  readonly state: string
  readonly provider: ProviderName
  readonly purpose: OAuthPurpose
  readonly userId: number | null
  readonly projectId: number | null
  readonly redirectUri: string
  /** Was an ID token asked for? */
  readonly openid: boolean
  /** What the beginner wants to know again. */
  readonly data: Readonly<Record<string, string>>
  /** What the provider answered, when it was kept (`keepAnswer`). */
  readonly answer: OAuthAnswer | null
}

type Known = Pick<Services, 'clock' | 'config'>

/** Remembers a beginning. @returns its state, which nobody here can find out again */
export async function rememberState(
  { clock }: Pick<Services, 'clock'>,
  db: Db | Trx,
  { provider, purpose, userId, projectId, redirectUri, openid, data }: Omit<OAuthState, 'state' | 'answer'>,
): Promise<string> {
  const state = randomToken()
  const now = clock.now()
  await db
    .insertInto('oauth_states')
    .values({
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
    .execute()
  return state
}

/**
 * Keeps what a provider answered until the person who began says so themselves (`redeemState`). The first answer counts.
 * From now on the beginning is known by a ticket, which only the browser that has come back is given: whoever began may
 * have sent somebody else to say yes, and knows the state.
 * @returns the beginning and its ticket, or null when there is none that waits
 */
export async function keepAnswer(
  { clock, config }: Known,
  db: Db | Trx,
  by: { readonly provider: ProviderName; readonly purpose: OAuthPurpose; readonly answer: OAuthAnswer },
): Promise<{ readonly begun: OAuthState; readonly ticket: string } | null> {
  const state = by.answer['state'] ?? ''
  const ticket = randomToken()
  const row = await db
    .updateTable('oauth_states')
    .set({ hash: hashOf(ticket), answer_sealed: seal(keyOf(config), JSON.stringify(by.answer)) })
    .where('hash', '=', hashOf(state))
    .where('provider', '=', by.provider)
    .where('purpose', '=', by.purpose)
    .where('answer_sealed', 'is', null)
    .where('date_expire', '>', iso(clock.now()))
    .returningAll()
    .executeTakeFirst()
  return row ? { begun: read(config, state, row), ticket } : null
}

/**
 * Uses a beginning up. Null when there is none, or it is too old, or it was used: of two at a time one gets it.
 * @param by `state`: or the ticket of one whose answer was kept; with `userId`, nobody else's: an answer belongs to the person who began
 */
export async function redeemState(
  { clock, config }: Known,
  db: Db | Trx,
  by: { readonly state: string; readonly purposes: readonly OAuthPurpose[]; readonly userId?: number },
): Promise<OAuthState | null> {
  let query = db.deleteFrom('oauth_states').where('hash', '=', hashOf(by.state)).where('purpose', 'in', by.purposes)
  if (by.userId !== undefined) query = query.where('user_id', '=', by.userId)
  const row = await query.where('date_expire', '>', iso(clock.now())).returningAll().executeTakeFirst()
  return row ? read(config, by.state, row) : null
}

/** Forgets beginnings that nobody came back to. */
export async function sweepStates({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  await db.deleteFrom('oauth_states').where('date_expire', '<', iso(clock.now())).execute()
}

const keyOf = (config: Known['config']) => derivedKey(config.secret, 'oauth answer')

function read(config: Known['config'], known: string, row: Selectable<Tables['oauth_states']>): OAuthState {
  const answer =
    row.answer_sealed === null ? null : (JSON.parse(unseal(keyOf(config), row.answer_sealed)) as OAuthAnswer)
  return {
    state: answer?.['state'] ?? known,
    provider: row.provider,
    purpose: row.purpose as OAuthPurpose,
    userId: row.user_id,
    projectId: row.project_id,
    redirectUri: row.redirect_uri,
    openid: row.openid === 1,
    data: JSON.parse(row.data) as Record<string, string>,
    answer,
  }
}
