// Channels in the database, each as one project has it.
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '#server/db/open.ts'
import { type Param, prepared } from '#server/db/prepared.ts'

/** Channels of projects, joined with what the projects may do with them. */
export const projectChannels = (db: Db | Trx) =>
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
export async function findChannel(db: Db | Trx, projectId: number, channelId: number) {
  const [row] = await findOne(db, { projectId, channelId })
  return row
}

const findOne = prepared((db, param: Param<{ projectId: number; channelId: number }>) =>
  projectChannels(db)
    .where('link.project_id', '=', param('projectId'))
    .where('link.channel_id', '=', param('channelId')),
)

export type ChannelRow = NonNullable<Awaited<ReturnType<typeof findChannel>>>

/** Which channels of a project somebody looks for. */
export interface ChannelSearch {
  readonly projectId: number
  readonly kind: 'all' | 'my' | 'available' | 'active'
  /** In lower case; empty: of all platforms. */
  readonly platforms: readonly string[]
  readonly name: string
  readonly limit: number
  readonly offset: number
}

/**
 * A page of a project's channels in the order in which they came to it, how many there are in all, and the platforms
 * that the project has channels of, whatever was looked for.
 */
export async function listChannels(db: Db, search: ChannelSearch) {
  const found = conditions(search)
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

/** Every channel of a project. */
export const listAllChannels = (db: Db | Trx, projectId: number): Promise<ChannelRow[]> =>
  projectChannels(db).where('link.project_id', '=', projectId).orderBy('link.id').execute()

function conditions({ kind, platforms, name }: ChannelSearch): Expression<SqlBool> {
  const all = [sql<SqlBool>`1 = 1`]
  if (kind === 'my') all.push(sql<SqlBool>`channels.owner_project_id = link.project_id`)
  if (kind === 'available') all.push(sql<SqlBool>`channels.owner_project_id <> link.project_id`)
  if (kind === 'active') all.push(sql<SqlBool>`link.active = 1`)
  if (platforms.length > 0) all.push(sql<SqlBool>`lower(channels.type) in (${sql.join(platforms)})`)
  if (name !== '') {
    const pattern = `%${foldName(name).replace(/[\\%_]/g, String.raw`\$&`)}%`
    all.push(sql<SqlBool>`channels.name_folded like ${pattern} escape '\\'`)
  }
  return sql.join<SqlBool>(all, sql` and `)
}

/** A name as search compares it: in one case and one spelling, also outside ASCII, which SQLite would not do. */
export const foldName = (name: string): string => name.normalize('NFKC').toLowerCase()

/** Every channel of a project by what it is called. */
export const listNames = prepared((db, param: Param<{ projectId: number }>) =>
  db
    .selectFrom('project_channels as link')
    .innerJoin('channels', 'channels.id', 'link.channel_id')
    .select(['channels.id as channel_id', 'channels.type', 'channels.name', 'channels.photo'])
    .where('link.project_id', '=', param('projectId'))
    .orderBy('link.id'),
)

/** How many channels a project has switched on. */
export async function countActive(db: Db | Trx, projectId: number): Promise<number> {
  const { count } = await db
    .selectFrom('project_channels')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .where('active', '=', 1)
    .executeTakeFirstOrThrow()
  return count
}

/** The result of a test for a channel with a new address: none. */
export const untested = { test_reason: null, date_test: null } as const

/**
 * Updates the result of the last test of a channel's address. An equal result is not written again.
 * @param reason `ok`, why the address cannot be reached, or `rejected`: the platform refused the stream
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

/** Returns name and type of a channel. */
export const findChannelName = (trx: Trx, id: number) =>
  trx.selectFrom('channels').select(['name', 'type']).where('id', '=', id).executeTakeFirst()

/** Returns the projects that have a channel. */
export async function listProjectsOfChannel(db: Db, channelId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('project_channels')
    .select('project_id')
    .where('channel_id', '=', channelId)
    .execute()
  return rows.map(({ project_id }) => project_id)
}
