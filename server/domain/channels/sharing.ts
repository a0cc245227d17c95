// Who may use a channel beside the project that it belongs to: looking, changing, taking away, handing over. Owners of
// the owning project decide; editors of another one may only let go of it. Each change is in the history of both.
import type { AccessType } from '#contract/entities/project.ts'
import { roleCan } from '#contract/entities/project.ts'
import type { Services, User } from '#server/core/context.ts'
import { ForbiddenError, RuleError } from '#server/core/errors.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { withdrawChannelInvites } from './sharing-invites.ts'
import { findLink, listLinks, lockChannel, noteShared } from './sharing-links.ts'
import { editorAccess, mustBeGuest, notShared, ownerAccess } from './sharing-rules.ts'
import { type ChannelRow, getChannel } from './channels.ts'
import { refuseFull } from './change.ts'
import { findRole } from '#server/domain/projects/team-store.ts'

/** One project and one of its channels. */
export interface Place {
  readonly projectId: number
  readonly channelId: number
}

/** Who has a channel: its own project sees everybody, another one itself and the owner. */
export async function listChannelAccess(db: Db, place: Place) {
  await getChannel(db, place, 'viewer')
  const rows = await listLinks(db, place.channelId)
  return rows.filter(
    ({ project_id, owner_project_id: owner }) =>
      owner === place.projectId || project_id === place.projectId || project_id === owner,
  )
}

/**
 * Changes what another project may do with a channel. Who may only look at it cannot switch it off, so it is off then.
 * @throws RuleError `OneOwner`, `OwnerStays` or `NotShared`; ForbiddenError
 */
export const changeChannelAccess = (
  services: Services,
  user: User,
  place: Place,
  { guestId, to }: { readonly guestId: number; readonly to: AccessType },
): Promise<void> =>
  asChannelOwner(services, user, place, async (trx, channel) => {
    refuseOwner(channel, guestId)
    const access = mustBeGuest(to)
    const link = await findLink(trx, guestId, channel.id)
    if (!link) throw notShared()
    if (link.access_type === access) return
    await noteShared(services, trx, {
      ...about(channel, user),
      guestId,
      action: 'project_channel_change',
      details: { from: link.access_type, to: access },
    })
    await trx
      .updateTable('project_channels')
      .set({ access_type: access, ...(roleCan(access, 'editor') ? {} : { active: 0 }) })
      .where('id', '=', link.id)
      .execute()
  })

/**
 * Takes a channel away from a project, at once: its owners from others, and others from themselves.
 * @throws RuleError `OwnerStays` or `NotShared`; ForbiddenError
 */
export function removeChannelAccess(services: Services, user: User, place: Place, guestId: number): Promise<void> {
  if (guestId !== place.projectId) {
    return asChannelOwner(services, user, place, (trx, channel) => dropGuest(services, trx, user, channel, guestId))
  }
  return transaction(services.db, async (trx) => {
    await lockChannel(trx, place.channelId)
    await mustBe(trx, place.projectId, user, editorAccess)
    await dropGuest(services, trx, user, await getChannel(trx, place, 'viewer'), guestId)
  })
}

/**
 * Makes another project the owner of a channel; this one keeps it as an editor. The key goes with it, and invitations
 * that wait are withdrawn.
 * @throws RuleError `OwnerStays`, `NotShared` or `TooManyChannels`; ForbiddenError
 */
export const transferChannel = (services: Services, user: User, place: Place, guestId: number): Promise<void> =>
  asChannelOwner(services, user, place, async (trx, channel) => {
    refuseOwner(channel, guestId)
    const link = await findLink(trx, guestId, channel.id)
    if (!link) throw notShared()
    await refuseFull(trx, guestId)
    await withdrawChannelInvites(services, trx, user.id, { channel_id: channel.id })
    await noteShared(services, trx, {
      ...about(channel, user),
      guestId,
      action: 'project_channel_change',
      details: { handed_over: true },
    })
    await trx.updateTable('channels').set({ owner_project_id: guestId }).where('id', '=', channel.id).execute()
    for (const [id, access_type] of [
      [link.id, ownerAccess],
      [channel.link_id, editorAccess],
    ] as const) {
      await trx.updateTable('project_channels').set({ access_type }).where('id', '=', id).execute()
    }
  })

/**
 * Holds a channel for a change that only owners of its project may make. The right is asked for again: between the edge
 * and here somebody else may have taken it away.
 */
export const asChannelOwner = <T>(
  services: Services,
  user: User,
  place: Place,
  change: (trx: Trx, channel: ChannelRow) => Promise<T>,
): Promise<T> =>
  transaction(services.db, async (trx) => {
    await lockChannel(trx, place.channelId)
    await mustBe(trx, place.projectId, user, ownerAccess)
    return change(trx, await getChannel(trx, place, 'owner'))
  })

async function mustBe(trx: Trx, projectId: number, user: User, least: AccessType): Promise<void> {
  const role = await findRole(trx, projectId, user.id)
  if (role === null || role < least) throw new ForbiddenError()
}

const about = (channel: ChannelRow, user: User) => ({
  userId: user.id,
  channelId: channel.id,
  name: channel.name,
  ownerId: channel.owner_project_id,
})

function refuseOwner(channel: ChannelRow, projectId: number): void {
  if (channel.owner_project_id !== projectId) return
  throw new RuleError('OwnerStays', 'The project that a channel belongs to keeps it, until it is handed over')
}

async function dropGuest(
  services: Services,
  trx: Trx,
  user: User,
  channel: ChannelRow,
  guestId: number,
): Promise<void> {
  refuseOwner(channel, guestId)
  const link = await findLink(trx, guestId, channel.id)
  if (!link) throw notShared()
  await noteShared(services, trx, { ...about(channel, user), guestId, action: 'project_channel_del' })
  await trx.deleteFrom('project_channels').where('id', '=', link.id).execute()
}
