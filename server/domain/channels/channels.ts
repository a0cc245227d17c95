// Access to channels: the lower of the user's role in the project and the project's access to the channel. The API checks
// the role before a handler runs, wherever an operation names the project.
import type { NeededRole } from '#contract/core/operation.ts'
import { accessTypesFor, channelRightsFor, rightCan } from '#contract/entities/roles.ts'
import type { Services, User } from '#server/core/context.ts'
import { ForbiddenError } from '#server/core/errors.ts'
import type { ReadDb } from '#server/db/open.ts'
import { authorize } from '#server/domain/projects/access.ts'
import { listLinksOfUser } from './links-store.ts'
import { type ChannelRow, findChannel } from './store.ts'

export type { ChannelRow } from './store.ts'

/** A project and one of its channels. */
export interface ChannelInProject {
  readonly projectId: number
  readonly channelId: number
}

/**
 * Returns a channel of a project.
 * @param needed least access of the project
 * @throws ForbiddenError for less access, a channel of another project, or an unknown channel
 */
export async function getChannel(
  db: ReadDb,
  { projectId, channelId }: ChannelInProject,
  needed: NeededRole,
): Promise<ChannelRow> {
  const row = await findChannel(db, projectId, channelId)
  if (!row || !rightCan(row.access_type, needed)) throw new ForbiddenError()
  return row
}

/**
 * Returns a channel for operations that name no project: in the named project, else in the project that the user opened
 * last, else in its owner, else in the first one.
 * @throws ForbiddenError without enough access in any of them; as `authorize` in the found one
 */
export async function authorizeChannel(
  { db }: Pick<Services, 'db'>,
  user: Pick<User, 'id' | 'grant'>,
  channelId: number,
  needed: NeededRole,
  projectId?: number,
): Promise<ChannelRow> {
  const links = await listLinksOfUser(db, {
    userId: user.id,
    channelId,
    roles: accessTypesFor(needed),
    rights: channelRightsFor(needed),
  })
  const named = projectId ?? user.grant?.projectId ?? undefined
  const link =
    named === undefined
      ? (links.find((one) => one.project_id === one.last_project_id) ??
        links.find((one) => one.project_id === one.owner_project_id) ??
        links[0])
      : links.find((one) => one.project_id === named)
  if (!link) throw new ForbiddenError()
  await authorize({ db }, user, link.project_id, needed)
  return getChannel(db, { projectId: link.project_id, channelId }, needed)
}
