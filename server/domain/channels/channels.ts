// Who may do what with a channel. A person may do the smaller of what their role in the project and the project's
// access to the channel allow; the edge has looked at the role wherever an operation names the project.
import type { ProjectRole } from '#contract/core/operation.ts'
import { type AccessType, roleCan, roles } from '#contract/entities/project.ts'
import type { Services, User } from '#server/core/context.ts'
import { ForbiddenError } from '#server/core/errors.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { type ChannelRow, findChannel } from './store.ts'

export type { ChannelRow } from './store.ts'

/**
 * A channel of a project whose access to it is enough.
 * @throws ForbiddenError otherwise; the same when the project does not have it, or nobody does
 */
export async function getChannel(
  db: Db | Trx,
  { projectId, channelId }: { readonly projectId: number; readonly channelId: number },
  needed: ProjectRole,
): Promise<ChannelRow> {
  const row = await findChannel(db, projectId, channelId)
  if (!row || !roleCan(row.access_type, needed)) throw new ForbiddenError()
  return row
}

/**
 * The channel for operations that name no project: in the named project, else in the one that the person looked at
 * last, else in its owner's, else in the first one.
 * @throws ForbiddenError when the person may do it in none of them
 */
export async function authorizeChannel(
  { db }: Pick<Services, 'db'>,
  user: Pick<User, 'id'>,
  channelId: number,
  needed: ProjectRole,
  projectId?: number,
): Promise<ChannelRow> {
  const least = roles.indexOf(needed) as AccessType
  const places = await db
    .selectFrom('project_channels as link')
    .innerJoin('channels', 'channels.id', 'link.channel_id')
    .innerJoin('project_members as member', 'member.project_id', 'link.project_id')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select(['link.project_id', 'channels.owner_project_id', 'users.last_project_id'])
    .where('link.channel_id', '=', channelId)
    .where('member.user_id', '=', user.id)
    .where('member.access_type', '>=', least)
    .where('link.access_type', '>=', least)
    .orderBy('link.id')
    .execute()
  const place =
    projectId === undefined
      ? (places.find((one) => one.project_id === one.last_project_id) ??
        places.find((one) => one.project_id === one.owner_project_id) ??
        places[0])
      : places.find((one) => one.project_id === projectId)
  if (!place) throw new ForbiddenError()
  return getChannel(db, { projectId: place.project_id, channelId }, needed)
}
