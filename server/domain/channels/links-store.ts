// SQL of links: which projects have a channel, with what access, and whether it is switched on there.
import type { Insertable, Updateable } from 'kysely'
import type { AccessType, ChannelRight } from '#contract/entities/roles.ts'
import { countRows } from '#server/db/fragments.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/** Returns the projects that have a channel, in the order in which they got it. */
export const listLinks = (db: ReadDb, channelId: number) =>
  db
    .selectFrom('project_channels as link')
    .innerJoin('channels', 'channels.id', 'link.channel_id')
    .innerJoin('projects', 'projects.id', 'link.project_id')
    .select([
      'link.id',
      'link.project_id',
      'link.channel_id',
      'link.access_type',
      'link.active',
      'channels.owner_project_id',
      'channels.name as channel_name',
      'projects.name',
      'projects.fename',
      'projects.photo',
      'projects.external_id',
    ])
    .where('link.channel_id', '=', channelId)
    .orderBy('link.id')
    .execute()

/** Returns the link of a project to a channel. */
export const findLink = (trx: ReadDb, projectId: number, channelId: number) =>
  trx
    .selectFrom('project_channels')
    .select(['id', 'project_id', 'access_type', 'active'])
    .where('project_id', '=', projectId)
    .where('channel_id', '=', channelId)
    .executeTakeFirst()

/** Returns the projects that have a channel, by ascending id. */
export async function listProjectsOfChannel(db: ReadDb, channelId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('project_channels')
    .select('project_id')
    .where('channel_id', '=', channelId)
    .orderBy('project_id')
    .execute()
  return rows.map(({ project_id }) => project_id)
}

/** Locks every project that has a channel, by ascending id. Comes before any change of the channel (`transaction`). */
export const lockProjectsOfChannel = (trx: Trx, channelId: number) =>
  trx
    .selectFrom('projects')
    .select('id')
    .where('id', 'in', (eb) =>
      eb.selectFrom('project_channels').select('project_id').where('channel_id', '=', channelId),
    )
    .orderBy('id')
    .forUpdate()
    .execute()

/** Returns the links of a project, with name and kind of each channel, in the order in which it got them. */
export const listProjectLinks = (trx: ReadDb, projectId: number) =>
  trx
    .selectFrom('project_channels as link')
    .innerJoin('channels', 'channels.id', 'link.channel_id')
    .select([
      'link.id',
      'link.channel_id',
      'link.access_type',
      'link.active',
      'channels.custom',
      'channels.name',
      'channels.type',
    ])
    .where('link.project_id', '=', projectId)
    .orderBy('link.id')
    .execute()

/** Returns the projects in which a user has one of these roles, and one of these accesses to a channel. */
export const listLinksOfUser = (
  db: ReadDb,
  {
    userId,
    channelId,
    roles,
    rights,
  }: {
    readonly userId: number
    readonly channelId: number
    readonly roles: AccessType[]
    readonly rights: ChannelRight[]
  },
) =>
  db
    .selectFrom('project_channels as link')
    .innerJoin('channels', 'channels.id', 'link.channel_id')
    .innerJoin('project_members as member', 'member.project_id', 'link.project_id')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select(['link.project_id', 'channels.owner_project_id', 'users.last_project_id'])
    .where('link.channel_id', '=', channelId)
    .where('member.user_id', '=', userId)
    .where('member.access_type', 'in', roles)
    .where('link.access_type', 'in', rights)
    .orderBy('link.id')
    .execute()

/** Returns the number of projects that have a channel. */
export async function countLinks(trx: ReadDb, channelId: number): Promise<number> {
  return await countRows(trx.selectFrom('project_channels').where('channel_id', '=', channelId))
}

/** Returns the number of channels that a project has switched on. */
export async function countActive(db: ReadDb, projectId: number): Promise<number> {
  return await countRows(db.selectFrom('project_channels').where('project_id', '=', projectId).where('active', '=', 1))
}

/** Inserts a link without a transcoder and without a delay. */
export async function insertLink(
  trx: Trx,
  link: Omit<Insertable<Tables['project_channels']>, 'transcoder_id' | 'delay_seconds'>,
): Promise<void> {
  await trx
    .insertInto('project_channels')
    .values({ ...link, transcoder_id: null, delay_seconds: 0 })
    .execute()
}

/** Updates a link. */
export async function updateLink(trx: Trx, id: number, change: Updateable<Tables['project_channels']>): Promise<void> {
  await trx.updateTable('project_channels').set(change).where('id', '=', id).execute()
}

/** Switches channels of a project on or off. */
export async function updateActive(
  trx: Trx,
  projectId: number,
  channelIds: readonly number[],
  active: 0 | 1,
): Promise<void> {
  await trx
    .updateTable('project_channels')
    .set({ active })
    .where('project_id', '=', projectId)
    .where('channel_id', 'in', channelIds)
    .execute()
}

/** Removes a link. */
export async function removeLink(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('project_channels').where('id', '=', id).execute()
}
