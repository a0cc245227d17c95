// Sharing of channels: guest projects, their access, and transfer of ownership. Owners of the owning project decide;
// editors of a guest project may only remove their own access. Both projects record each change.
import { type ChannelRight, channelRights, rightCan } from '#contract/entities/roles.ts'
import type { Reading, Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { countLinks, findLink, insertLink, listLinks, removeLink, updateLink } from './links-store.ts'
import { refuseFull } from './add.ts'
import { type ChannelInProject, type ChannelRow, getChannel } from './channels.ts'
import { findChannelName, lockChannel, updateChannel } from './store.ts'
import { authorize } from '#server/domain/projects/access.ts'
import { type GuestAccess, guestAccess } from '#contract/entities/channel-sharing.ts'
import type { HistoryAction, HistoryDetails } from '#contract/entities/history.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { projectName } from '#server/domain/projects/projects.ts'
import { iso, later } from '#server/core/clock.ts'
import { hashOf, randomToken } from '#server/core/secrets.ts'
import {
  type ChannelInviteRow,
  findAcceptedInvite,
  findInvite,
  findPendingInvite,
  findProjectByExternalId,
  insertInvite,
  type InviteFilter,
  type InviteTarget,
  listInvitesOfChannel,
  listInvitesToProject,
  type OpenInvite,
  updateEnded,
  updateInvite,
} from './invites-store.ts'
import { maskedEmail } from '#server/domain/account/accounts.ts'

// Invitations to use a channel, for its owners: to a project, to an e-mail, or by a link. A secret works once, is stored
// as a hash, and expires after a week. The caller locks the channel.

const lifeMs = 7 * 86_400_000
const waitingMax = 100

/** The recipient of an invitation: a project by its external id, an e-mail (`normalEmail`), or anyone with the link. */
export type Invitee = { readonly externalId: string } | { readonly email: string } | { readonly link: true }

/**
 * Creates an invitation. It replaces an older one to the same project or e-mail.
 * @returns its row, and the secret, which is not stored; empty for an invitation to a project
 * @throws RuleError `OneOwner`, `ProjectNotFound`, `AlreadyShared` or `TooManyInvites`
 */
export async function addChannelInvite(
  services: Services,
  trx: Trx,
  channel: ChannelRow,
  { userId, access, to }: { readonly userId: number; readonly access: ChannelRight; readonly to: Invitee },
): Promise<{ readonly row: ChannelInviteRow; readonly secret: string }> {
  const accessType = mustBeGuest(access)
  const projectId = 'externalId' in to ? await getProjectId(trx, to.externalId) : null
  const email = 'email' in to ? to.email : null
  if (projectId !== null && (await findLink(trx, projectId, channel.id))) throw alreadyShared()
  if (projectId !== null || email !== null) {
    const same = projectId === null ? { email } : { to_project_id: projectId }
    await withdrawChannelInvites(services, trx, userId, { channel_id: channel.id, ...same })
  }
  if ((await listChannelInvites(services, trx, channel.id)).length >= waitingMax) {
    throw new RuleError('TooManyInvites', { max: waitingMax })
  }
  const secret = projectId === null ? randomToken() : ''
  const now = services.clock.now()
  const row = await insertInvite(trx, {
    channel_id: channel.id,
    from_project_id: channel.owner_project_id,
    from_user_id: userId,
    access_type: accessType,
    to_project_id: projectId,
    email,
    hash: secret === '' ? null : hashOf(secret),
    reject: 0,
    accepted_project_id: null,
    date_create: iso(now),
    date_expire: iso(later(now, lifeMs)),
    date_end: null,
  })
  await recordInviteChange(services, trx, row, { userId, name: channel.name, action: 'add' })
  return { row, secret }
}

/** External ids are long random numbers, so knowing one proves that its project shared it. */
async function getProjectId(trx: ReadDb, externalId: string): Promise<number> {
  const row = await findProjectByExternalId(trx, externalId)
  if (!row) throw new RuleError('ProjectNotFound_public')
  return row.id
}

/** Returns pending and declined invitations of a channel that have not expired, newest first. */
export const listChannelInvites = (
  { clock }: Pick<Services, 'clock'>,
  db: ReadDb,
  channelId: number,
): Promise<OpenInvite[]> => listInvitesOfChannel(db, channelId, iso(clock.now()))

/** Returns one of them; undefined when it is over. */
export const findChannelInvite = (
  { clock }: Pick<Services, 'clock'>,
  db: ReadDb,
  id: number,
): Promise<OpenInvite | undefined> => findInvite(db, id, iso(clock.now()))

/** Withdraws invitations. @returns their number */
export async function withdrawChannelInvites(
  services: Services,
  trx: Trx,
  userId: number,
  filter: InviteFilter,
): Promise<number> {
  const rows = await updateEnded(trx, filter, iso(services.clock.now()))
  const channel = await findChannelName(trx, filter.channel_id)
  for (const row of rows) {
    await recordInviteChange(services, trx, row, { userId, name: channel?.name ?? '', action: 'del' })
  }
  return rows.length
}

/** Records a change of an invitation. The other project records it only after it accepted or declined. */
const recordInviteChange = (
  services: Services,
  trx: Trx,
  row: ChannelInviteRow,
  change: {
    readonly userId: number
    readonly name: string
    readonly action: 'add' | 'del' | 'accept' | 'decline'
    readonly guestId?: number
  },
): Promise<void> =>
  recordSharedChange(services, trx, {
    userId: change.userId,
    channelId: row.channel_id,
    name: change.name,
    ownerId: row.from_project_id,
    guestId: change.guestId ?? null,
    action: `project_channel_invite_${change.action}`,
    details: { invite_id: row.id, access_type: row.access_type, ...(row.email && { email: maskedEmail(row.email) }) },
  })

// Invitations to use a channel, for the invited project. Unknown, used, declined, withdrawn and expired invitations are
// refused with the same error.

/** Key of an invitation: the invited project, or the secret of its link. */
type InviteKey = { readonly channelId: number } & ({ readonly toProjectId: number } | { readonly secret: string })

const rejected = () => new RuleError('InviteRejected')

const targetOf = (key: InviteKey): InviteTarget => ('secret' in key ? { hash: hashOf(key.secret) } : key)

/** Returns the pending invitations to a project, newest first. */
export const listReceived = (
  { clock, db }: Reading<Pick<Services, 'clock' | 'db'>>,
  projectId: number,
): Promise<OpenInvite[]> => listInvitesToProject(db, projectId, iso(clock.now()))

/** Returns a pending invitation. @throws RuleError `InviteRejected` */
export async function readChannelInvite(
  services: Reading<Pick<Services, 'clock' | 'db'>>,
  key: InviteKey,
  db: ReadDb = services.db,
): Promise<OpenInvite> {
  const row = await findPendingInvite(db, key.channelId, targetOf(key), iso(services.clock.now()))
  if (!row) throw rejected()
  return row
}

/**
 * Adds the channel to a project, switched off. Idempotent: the response to an earlier call may have been lost.
 * @throws RuleError `InviteRejected`, `AlreadyShared` or `TooManyGuests`
 */
export const acceptChannelInvite = (services: Services, user: User, projectId: number, key: InviteKey): Promise<void> =>
  transaction(services.db, async (trx) => {
    await lockChannel(trx, key.channelId)
    const link = await findLink(trx, projectId, key.channelId)
    if (link && (await findAcceptedInvite(trx, projectId, key.channelId, targetOf(key)))) return
    const invite = await readChannelInvite(services, key, trx)
    if (link) throw alreadyShared()
    // One of the links is the owner's.
    if ((await countLinks(trx, key.channelId)) > guestsMax) {
      throw new RuleError('TooManyGuests', { max: guestsMax })
    }
    const now = iso(services.clock.now())
    await insertLink(trx, {
      project_id: projectId,
      channel_id: invite.channel_id,
      access_type: invite.access_type,
      active: 0,
      date_create: now,
    })
    await updateInvite(trx, invite.id, { date_end: now, accepted_project_id: projectId })
    const by = { userId: user.id, name: invite.channel_name, guestId: projectId }
    await recordInviteChange(services, trx, invite, { ...by, action: 'accept' })
    await recordSharedChange(services, trx, {
      ...by,
      channelId: invite.channel_id,
      ownerId: invite.from_project_id,
      action: 'project_channel_add',
      details: { to: invite.access_type },
    })
  })

/** Declines an invitation. @throws RuleError `InviteRejected` */
export const declineChannelInvite = (
  services: Services,
  user: User,
  projectId: number,
  key: InviteKey,
): Promise<void> =>
  transaction(services.db, async (trx) => {
    await lockChannel(trx, key.channelId)
    const invite = await readChannelInvite(services, key, trx)
    await updateInvite(trx, invite.id, { reject: 1, hash: null })
    const by = { userId: user.id, name: invite.channel_name, guestId: projectId }
    await recordInviteChange(services, trx, invite, { ...by, action: 'decline' })
  })

// Access of guest projects: one table for changes, invitations and transfers.

/** Against accidents and abuse. */
export const guestsMax = 100

/** @throws RuleError `OneOwner`: a channel has one owner, which changes only by a transfer */
export function mustBeGuest(access: ChannelRight): GuestAccess {
  const found = guestAccess.find((one) => one === access)
  if (found === undefined) throw new RuleError('OneOwner')
  return found
}

export const alreadyShared = () => new RuleError('AlreadyShared')
const notShared = () => new RuleError('NotShared')

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
    await authorize({ db: trx }, user, ref.projectId, 'editor')
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
    await authorize({ db: trx }, user, ref.projectId, 'owner')
    return change(trx, await getChannel(trx, ref, 'owner'))
  })

const about = (channel: ChannelRow, user: User) => ({
  userId: user.id,
  channelId: channel.id,
  name: channel.name,
  ownerId: channel.owner_project_id,
})

function refuseOwner(channel: ChannelRow, projectId: number): void {
  if (channel.owner_project_id !== projectId) return
  throw new RuleError('OwnerStays')
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

// History entries of shared channels, in the owning project and in the guest project.

/** A change of a shared channel. */
interface SharedChange {
  readonly userId: number
  readonly channelId: number
  /** Name of the channel. */
  readonly name: string
  readonly ownerId: number
  /** Null: no project accepted yet. */
  readonly guestId: number | null
  readonly action: Extract<HistoryAction, `project_channel_${string}`>
  readonly details?: HistoryDetails<'project_channel_change'>
}

/**
 * Records a change in the history of the owner and of the guest; each entry names the other project. Call it before the
 * change itself: recording waits for the lock of the projects, whose holder may wait for the changed rows.
 */
export async function recordSharedChange(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  change: SharedChange,
): Promise<void> {
  const { userId, channelId, name, ownerId, guestId, action, details } = change
  const sides =
    guestId === null
      ? ([[ownerId, null]] as const)
      : ([
          [ownerId, guestId],
          [guestId, ownerId],
        ] as const)
  for (const [projectId, otherId] of sides) {
    const other = otherId === null ? {} : { project: await projectName(trx, otherId) }
    await recordHistory(services, trx, {
      projectId,
      userId,
      action,
      channelId,
      details: { name, ...other, ...details },
    })
  }
}
