// Accounts on platforms in the database, and what channels have there.
import type { Selectable } from 'kysely'
import type { AccountPlatform } from '#contract/entities/platform-account.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type AccountRow = Selectable<Tables['platform_accounts']>

/** One account, whoever it belongs to. */
export const findAccount = (db: Db | Trx, id: number): Promise<AccountRow | undefined> =>
  db.selectFrom('platform_accounts').selectAll().where('id', '=', id).executeTakeFirst()

/** `vk` has those of VK ID as well: what they can do is the same. */
export const platformsOf = (platform: AccountPlatform): readonly AccountPlatform[] =>
  platform === 'vk' ? ['vk', 'vk-id'] : [platform]

/** The accounts of a person with the number of channels that come from each, oldest first. */
export function listAccounts(db: Db | Trx, userId: number, platform?: AccountPlatform) {
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

/** An account of a platform that a person may ask with: their own, else one of a channel that they may edit. */
export async function findUsableAccount(
  db: Db | Trx,
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
    .where('member.access_type', '>=', 1)
    .where('link.access_type', '>=', 1)
    .orderBy('account.id')
    .limit(1)
    .executeTakeFirst()
}

/** Keeps an account; one that is known gets its new tokens and works again. @returns its number */
export async function upsertAccount(
  trx: Trx,
  now: string,
  account: Pick<AccountRow, 'user_id' | 'platform' | 'external_id' | 'name' | 'avatar' | 'tokens_sealed'>,
): Promise<number> {
  const changed = {
    name: account.name,
    avatar: account.avatar,
    tokens_sealed: account.tokens_sealed,
    status: 1,
    date_update: now,
    date_lease: null,
  } as const
  const { id } = await trx
    .insertInto('platform_accounts')
    .values({ ...account, ...changed, date_create: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'platform', 'external_id']).doUpdateSet(changed))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes an account. @returns whether it was there, and as `where` expects it */
export async function updateAccount(
  db: Db | Trx,
  { id, tokens }: { readonly id: number; readonly tokens?: string },
  change: Partial<Pick<AccountRow, 'status' | 'tokens_sealed' | 'date_lease' | 'date_update'>>,
): Promise<boolean> {
  let query = db.updateTable('platform_accounts').set(change).where('id', '=', id)
  if (tokens !== undefined) query = query.where('tokens_sealed', '=', tokens)
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Takes the right to fetch new tokens, for a while. @returns false when somebody has it */
export async function leaseAccount(
  db: Db,
  { id, tokens }: { readonly id: number; readonly tokens: string },
  now: string,
  until: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('platform_accounts')
    .set({ date_lease: until })
    .where('id', '=', id)
    .where('tokens_sealed', '=', tokens)
    .where((eb) => eb.or([eb('date_lease', 'is', null), eb('date_lease', '<', now)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Forgets an account; channels that came from it stay, without it. */
export async function removeAccount(trx: Trx, id: number): Promise<void> {
  await trx.updateTable('channels').set({ account_id: null }).where('account_id', '=', id).execute()
  await trx.deleteFrom('platform_accounts').where('id', '=', id).execute()
}

/** What a channel has at its platform beside its settings. */
export const findChannelPlatform = (db: Db | Trx, channelId: number) =>
  db.selectFrom('channel_platforms').selectAll().where('channel_id', '=', channelId).executeTakeFirst()

/** Keeps it. */
export async function saveChannelPlatform(
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
