// Sharing of channels: guest projects, their access, and transfer of ownership. Owners of the owning project decide;
// editors of a guest project may only remove their own access. Both projects record each change.
import { type ChannelRight, channelRights, rightCan, roleCan } from '#contract/entities/roles.ts'
import type { NeededRole } from '#contract/core/operation.ts'
import type { Services, User } from '#server/core/context.ts'
import { ForbiddenError, RuleError } from '#server/core/errors.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { withdrawChannelInvites } from './sharing-invites.ts'
import { findLink, listLinks, removeLink, updateLink } from './links-store.ts'
import { recordSharedChange } from './sharing-history.ts'
import { mustBeGuest, notShared } from './sharing-rules.ts'
import { refuseFull } from './add.ts'
import { type ChannelInProject, type ChannelRow, getChannel } from './channels.ts'
import { lockChannel, updateChannel } from './store.ts'
import { findRole } from '#server/domain/projects/store.ts'

/** Returns the projects that have a channel. The owning project sees all of them, a guest sees itself and the owner. */
export async function listChannelAccess(db: ReadDb, ref: ChannelInProject) {
  await getChannel(db, ref, 'viewer')
  const rows = await listLinks(db, ref.channelId)
  return rows.filter(
    ({ project_id, owner_project_id: owner }) =>
      owner === ref.projectId || project_id === ref.projectId || project_id === owner,
  )
}

/**
 * Changes the access of a guest project. Viewers cannot switch a channel off, so viewer access switches it off.
 * @throws RuleError `OneOwner`, `OwnerStays` or `NotShared`; ForbiddenError
 */
export const changeChannelAccess = (
  services: Services,
  user: User,
  ref: ChannelInProject,
  { guestId, to }: { readonly guestId: number; readonly to: ChannelRight },
): Promise<void> =>
  asChannelOwner(services, user, ref, async (trx, channel) => {
    refuseOwner(channel, guestId)
    const access = mustBeGuest(to)
    const link = await findLink(trx, guestId, channel.id)
    if (!link) throw notShared()
    if (link.access_type === access) return
    await recordSharedChange(services, trx, {
      ...about(channel, user),
      guestId,
      action: 'project_channel_change',
      details: { from: link.access_type, to: access },
    })
    await updateLink(trx, link.id, { access_type: access, ...(rightCan(access, 'editor') ? {} : { active: 0 }) })
  })

/**
 * Removes the access of a project: of a guest by the owner, or of the guest itself.
 * @throws RuleError `OwnerStays` or `NotShared`; ForbiddenError
 */
export function removeChannelAccess(
  services: Services,
  user: User,
  ref: ChannelInProject,
  guestId: number,
): Promise<void> {
  if (guestId !== ref.projectId) {
    return asChannelOwner(services, user, ref, (trx, channel) => dropGuest(services, trx, user, channel, guestId))
  }
  return transaction(services.db, async (trx) => {
    await lockChannel(trx, ref.channelId)
    await mustBe(trx, ref.projectId, user, 'editor')
    await dropGuest(services, trx, user, await getChannel(trx, ref, 'viewer'), guestId)
  })
}

/**
 * Makes a guest project the owner of a channel, with its stream key; the former owner keeps it as an editor. Pending
 * invitations are withdrawn.
 * @throws RuleError `OwnerStays`, `NotShared` or `TooManyChannels`; ForbiddenError
 */
export const transferChannel = (
  services: Services,
  user: User,
  ref: ChannelInProject,
  guestId: number,
): Promise<void> =>
  asChannelOwner(services, user, ref, async (trx, channel) => {
    refuseOwner(channel, guestId)
    const link = await findLink(trx, guestId, channel.id)
    if (!link) throw notShared()
    await refuseFull(trx, guestId)
    await withdrawChannelInvites(services, trx, user.id, { channel_id: channel.id })
    await recordSharedChange(services, trx, {
      ...about(channel, user),
      guestId,
      action: 'project_channel_change',
      details: { handed_over: true },
    })
    await updateChannel(trx, channel.id, { owner_project_id: guestId })
    await updateLink(trx, link.id, { access_type: channelRights.own })
    await updateLink(trx, channel.link_id, { access_type: channelRights.use })
  })

/**
 * Locks a channel for a change that only owners of its project may make. Checks the role again: it may have changed since
 * the request was authorized.
 */
export const asChannelOwner = <T>(
  services: Services,
  user: User,
  ref: ChannelInProject,
  change: (trx: Trx, channel: ChannelRow) => Promise<T>,
): Promise<T> =>
  transaction(services.db, async (trx) => {
    await lockChannel(trx, ref.channelId)
    await mustBe(trx, ref.projectId, user, 'owner')
    return change(trx, await getChannel(trx, ref, 'owner'))
  })

async function mustBe(trx: Trx, projectId: number, user: User, needed: NeededRole): Promise<void> {
  const role = await findRole(trx, projectId, user.id)
  if (role === null || !roleCan(role, needed)) throw new ForbiddenError()
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
  await recordSharedChange(services, trx, { ...about(channel, user), guestId, action: 'project_channel_del' })
  await removeLink(trx, link.id)
}
