// SQL of platform accounts, and of the platform data of channels.
import type { Selectable } from 'kysely'
import { accountsOf, type AccountPlatform, isOneOf, platformTypes } from '#contract/platforms/platforms.ts'
import { accessTypesFor, channelRightsFor } from '#contract/entities/roles.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type AccountRow = Selectable<Tables['platform_accounts']>

/** Returns whether all scopes were granted. @param granted of the row; null: unknown */
export const hasScopes = (granted: string | null, scopes: readonly string[]): boolean => {
  const known = new Set((granted ?? '').split(/[\s,]+/))
  return scopes.every((scope) => known.has(scope))
}

/** Returns an account of any user. @param id null: a channel without an account */
export const findAccount = async (db: ReadDb, id: number | null): Promise<AccountRow | undefined> =>
  id === null ? undefined : await db.selectFrom('platform_accounts').selectAll().where('id', '=', id).executeTakeFirst()

/** Returns the platforms whose accounts are interchangeable: accounts of VK ID can do what those of VK can. */
export const platformsOf = (platform: AccountPlatform): readonly AccountPlatform[] =>
  isOneOf(platformTypes, platform) ? accountsOf(platform) : [platform]

/** Returns the accounts of a user with the number of their channels, oldest first. */
export function listAccounts(db: ReadDb, userId: number, platform?: AccountPlatform) {
  const query = db
    .selectFrom('platform_accounts as account')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('channels')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .whereRef('channels.account_id', '=', 'account.id')
        .as('channels'),
    )
    .where('user_id', '=', userId)
    .orderBy('id')
  return (platform === undefined ? query : query.where('platform', 'in', platformsOf(platform))).execute()
}

/** Returns an account of a platform that a user may use: their own, else one of a channel that they may edit. */
export async function findUsableAccount(
  db: ReadDb,
  userId: number,
  platform: AccountPlatform,
): Promise<AccountRow | undefined> {
  const all = db
    .selectFrom('platform_accounts as account')
    .selectAll('account')
    .where('account.platform', 'in', platformsOf(platform))
    .where('account.status', '=', 1)
  const own = await all.where('account.user_id', '=', userId).orderBy('account.id').limit(1).executeTakeFirst()
  if (own) return own
  return await all
    .innerJoin('channels', 'channels.account_id', 'account.id')
    .innerJoin('project_channels as link', 'link.channel_id', 'channels.id')
    .innerJoin('project_members as member', 'member.project_id', 'link.project_id')
    .where('member.user_id', '=', userId)
    .where('member.access_type', 'in', accessTypesFor('editor'))
    .where('link.access_type', 'in', channelRightsFor('editor'))
    .orderBy('account.id')
    .limit(1)
    .executeTakeFirst()
}

/** Inserts an account, or updates its tokens and marks it valid. */
export function upsertAccount(
  trx: Trx,
  now: string,
  account: Pick<AccountRow, 'user_id' | 'platform' | 'external_id' | 'name' | 'avatar' | 'tokens_sealed' | 'scopes'>,
): Promise<AccountRow> {
  const changed = {
    name: account.name,
    avatar: account.avatar,
    tokens_sealed: account.tokens_sealed,
    scopes: account.scopes,
    status: 1,
    date_update: now,
  } as const
  return trx
    .insertInto('platform_accounts')
    .values({ ...account, ...changed, date_create: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'platform', 'external_id']).doUpdateSet(changed))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Updates an account. @param where `tokens`: only if they are unchanged @returns whether it was updated */
export async function updateAccount(
  db: Db | Trx,
  { id, tokens }: { readonly id: number; readonly tokens?: string },
  change: Partial<Pick<AccountRow, 'status' | 'tokens_sealed' | 'date_update'>>,
): Promise<boolean> {
  let query = db.updateTable('platform_accounts').set(change).where('id', '=', id)
  if (tokens !== undefined) query = query.where('tokens_sealed', '=', tokens)
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Removes an account. Its channels stay, without the account. */
export async function removeAccount(trx: Trx, id: number): Promise<void> {
  await trx.updateTable('channels').set({ account_id: null }).where('account_id', '=', id).execute()
  await trx.deleteFrom('platform_accounts').where('id', '=', id).execute()
}

/** Returns the platform data of a channel. */
export const findChannelPlatform = (db: ReadDb, channelId: number) =>
  db.selectFrom('channel_platforms').selectAll().where('channel_id', '=', channelId).executeTakeFirst()

/** Inserts or updates the platform data of a channel. */
export async function upsertChannelPlatform(
  trx: Trx,
  channelId: number,
  change: Partial<Pick<Selectable<Tables['channel_platforms']>, 'planned_id' | 'community_sealed'>>,
): Promise<void> {
  await trx
    .insertInto('channel_platforms')
    .values({ channel_id: channelId, planned_id: null, community_sealed: null, ...change })
    .onConflict((conflict) => conflict.column('channel_id').doUpdateSet(change))
    .execute()
}

/** Returns the projects that own channels of an account. */
export async function listAccountProjects(trx: ReadDb, accountId: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('channels')
    .select('owner_project_id')
    .distinct()
    .where('account_id', '=', accountId)
    .orderBy('owner_project_id')
    .execute()
  return rows.map(({ owner_project_id }) => owner_project_id)
}
