// SQL of channels, as a project has them.
import { type Expression, type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import { foldText } from '#contract/core/fold.ts'
import type { PlatformType } from '#contract/entities/channel.ts'
import { contains, countRows } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { ProbeReason } from './destination-probe.ts'

/** Channels of projects, with the access of each project. */
const projectChannels = (db: ReadDb) =>
  db
    .selectFrom('project_channels as link')
    .innerJoin('channels', 'channels.id', 'link.channel_id')
    .leftJoin('platform_accounts as account', 'account.id', 'channels.account_id')
    .leftJoin('channel_platforms as there', 'there.channel_id', 'channels.id')
    .select([
      'channels.id',
      'channels.owner_project_id',
      'channels.user_id',
      'channels.type',
      'channels.name',
      'channels.external_id',
      'channels.channel_url',
      'channels.photo',
      'channels.account_id',
      'channels.address',
      'channels.custom',
      'channels.secret_sealed',
      'channels.settings',
      'channels.test_reason',
      'channels.date_test',
      'link.id as link_id',
      'link.project_id',
      'link.access_type',
      'link.active',
      'link.transcoder_id',
      'link.delay_seconds',
      'link.tracks',
      'link.silence',
      'link.ladder',
      'link.healing',
      'account.name as account_name',
      'account.status as account_status',
      'there.community_sealed',
    ])
    .select((eb) =>
      eb
        .selectFrom('project_channels as guests')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('guests.channel_id', '=', 'channels.id')
        .$castTo<number>()
        .as('projects'),
    )

/** A channel as one project has it; undefined when the project does not have it. */
export function findChannel(db: ReadDb, projectId: number, channelId: number) {
  return projectChannels(db)
    .where('link.project_id', '=', projectId)
    .where('link.channel_id', '=', channelId)
    .executeTakeFirst()
}

export type ChannelRow = NonNullable<Awaited<ReturnType<typeof findChannel>>>

/** Filters and page of a search for channels. */
export interface ChannelSearch {
  readonly projectId: number
  readonly kind: 'all' | 'my' | 'available' | 'active'
  /** Lower case; empty: all platforms. */
  readonly platforms: readonly string[]
  readonly name: string
  readonly limit: number
  readonly offset: number
}

/**
 * Returns a page of a project's channels in the order in which it got them, how many match in all, and the platforms of
 * all channels of the project.
 */
export async function listChannels(db: ReadDb, search: ChannelSearch) {
  const found = conditions(db, search)
  const rows = await projectChannels(db)
    .where('link.project_id', '=', search.projectId)
    .where(found)
    .orderBy('link.id')
    .limit(search.limit)
    .offset(search.offset)
    .execute()
  const counts = await db
    .selectFrom('project_channels as link')
    .innerJoin('channels', 'channels.id', 'link.channel_id')
    .select(['channels.type', sql<number>`sum(case when ${found} then 1 else 0 end)`.as('count')])
    .where('link.project_id', '=', search.projectId)
    .groupBy('channels.type')
    .execute()
  return { rows, total: counts.reduce((sum, { count }) => sum + count, 0), types: counts.map(({ type }) => type) }
}

/** Returns every channel of a project. */
export const listAllChannels = (db: ReadDb, projectId: number): Promise<ChannelRow[]> =>
  projectChannels(db).where('link.project_id', '=', projectId).orderBy('link.id').execute()

function conditions(db: ReadDb, { kind, platforms, name }: ChannelSearch): Expression<SqlBool> {
  const all = [sql<SqlBool>`1 = 1`]
  if (kind === 'my') all.push(sql<SqlBool>`channels.owner_project_id = link.project_id`)
  if (kind === 'available') all.push(sql<SqlBool>`channels.owner_project_id <> link.project_id`)
  if (kind === 'active') all.push(sql<SqlBool>`link.active = 1`)
  if (platforms.length > 0) all.push(sql<SqlBool>`lower(channels.type) in (${sql.join(platforms)})`)
  if (name !== '') all.push(contains(db, 'channels.name_folded', foldText(name)))
  return sql.join<SqlBool>(all, sql` and `)
}

/** Returns names and photos of a project's channels. */
export const listNames = (db: ReadDb, projectId: number) =>
  db
    .selectFrom('project_channels as link')
    .innerJoin('channels', 'channels.id', 'link.channel_id')
    .select(['channels.id as channel_id', 'channels.type', 'channels.name', 'channels.photo'])
    .where('link.project_id', '=', projectId)
    .orderBy('link.id')
    .execute()

/** The result of a test for a channel with a new address: none. */
export const untested = { test_reason: null, date_test: null } as const

/**
 * Updates the result of the last test of a channel's address. An equal result is not written again.
 * @param reason `ok`: the platform accepted a stream, why the address cannot be reached, or `rejected`: it refused the stream
 * @param at ISO 8601
 */
export async function updateTestResult(db: Db | Trx, channelId: number, reason: string, at: string): Promise<void> {
  await db
    .updateTable('channels')
    .set({ test_reason: reason, date_test: at })
    .where('id', '=', channelId)
    .where((eb) => eb.or([eb('test_reason', 'is', null), eb('test_reason', '<>', reason)]))
    .execute()
}

/**
 * Updates the result of a connection test. A server that answers proves the address and no key: it is `reachable`, and the
 * outcome of the last broadcast stays.
 * @param at ISO 8601
 */
export async function updateProbeResult(db: Db, channelId: number, reason: ProbeReason, at: string): Promise<void> {
  if (reason !== 'ok') return updateTestResult(db, channelId, reason, at)
  await db
    .updateTable('channels')
    .set({ test_reason: 'reachable', date_test: at })
    .where('id', '=', channelId)
    .where((eb) => eb.or([eb('test_reason', 'is', null), eb('test_reason', 'not in', ['ok', 'rejected', 'reachable'])]))
    .execute()
}

/** Returns name and type of a channel. */
export const findChannelName = (trx: ReadDb, id: number) =>
  trx.selectFrom('channels').select(['name', 'type']).where('id', '=', id).executeTakeFirst()

/** Locks a channel until the transaction ends: changes of its links and invitations are serialised. */
export async function lockChannel(trx: Trx, channelId: number): Promise<void> {
  await trx.selectFrom('channels').select('id').where('id', '=', channelId).forUpdate().executeTakeFirst()
}

/** Returns the number of channels that a project owns. */
export async function countOwned(trx: ReadDb, projectId: number): Promise<number> {
  return await countRows(trx.selectFrom('channels').where('owner_project_id', '=', projectId))
}

/** Returns the destinations of the channels that a project owns, the first one first. */
export const listOwnedDestinations = (db: ReadDb, projectId: number) =>
  db
    .selectFrom('channels')
    .select(['id', 'name', 'address', 'secret_sealed'])
    .where('owner_project_id', '=', projectId)
    .where('address', 'is not', null)
    .orderBy('id')
    .execute()

/** A channel at its platform. */
export type ChannelAtPlatform = Pick<ChannelRow, 'id' | 'account_id' | 'external_id' | 'settings'>

/** Returns what identifies a channel at its platform. */
export const findChannelAtPlatform = (db: ReadDb, id: number): Promise<ChannelAtPlatform | undefined> =>
  db
    .selectFrom('channels')
    .select(['id', 'account_id', 'external_id', 'settings'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Returns the channel of a project for an external id of a platform. */
export const findChannelByExternalId = (db: ReadDb, projectId: number, type: PlatformType, externalId: string) =>
  db
    .selectFrom('channels')
    .innerJoin('project_channels as link', (join) =>
      join.onRef('link.channel_id', '=', 'channels.id').onRef('link.project_id', '=', 'channels.owner_project_id'),
    )
    .select(['channels.id', 'link.active'])
    .where('channels.owner_project_id', '=', projectId)
    .where('channels.type', '=', type)
    .where('channels.external_id', '=', externalId)
    .executeTakeFirst()

/** Returns the channels of a project that have an external id of a platform. */
export const listExternalIds = (db: ReadDb, projectId: number, type: PlatformType) =>
  db
    .selectFrom('channels')
    .select(['id', 'external_id'])
    .where('owner_project_id', '=', projectId)
    .where('type', '=', type)
    .where('external_id', '<>', '')
    .execute()

/** Inserts a channel. @returns its id */
export async function insertChannel(
  trx: Trx,
  row: Omit<Insertable<Tables['channels']>, 'name_folded'>,
): Promise<number> {
  const { id } = await trx
    .insertInto('channels')
    .values({ ...row, name_folded: foldText(row.name) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Updates a channel. */
export async function updateChannel(trx: Trx, id: number, change: Updateable<Tables['channels']>): Promise<void> {
  const folded = change.name === undefined ? {} : { name_folded: foldText(change.name) }
  await trx
    .updateTable('channels')
    .set({ ...change, ...folded })
    .where('id', '=', id)
    .execute()
}

/** Removes a channel from every project. */
export async function removeChannelRow(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('channels').where('id', '=', id).execute()
}
