// Invitations to use a channel, for its owners: to a project, to an e-mail, or by a link. A secret works once, is stored
// as a hash, and expires after a week. The caller locks the channel.
import type { ChannelRight } from '#contract/entities/roles.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { hashOf, randomToken } from '#server/core/secrets.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { maskedEmail } from '#server/domain/account/accounts.ts'
import {
  type ChannelInviteRow,
  findInvite,
  findProjectByExternalId,
  type InviteFilter,
  insertInvite,
  listInvitesOfChannel,
  type OpenInvite,
  updateEnded,
} from './invites-store.ts'
import { findLink } from './links-store.ts'
import { recordSharedChange } from './sharing-history.ts'
import { alreadyShared, mustBeGuest } from './sharing-rules.ts'
import type { ChannelRow } from './channels.ts'
import { findChannelName } from './store.ts'

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
    throw new RuleError(
      'TooManyInvites',
      `A channel can have at most ${waitingMax} open invitations. Withdraw one first`,
      { max: waitingMax },
    )
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
  if (!row) throw new RuleError('ProjectNotFound', 'No project has this id')
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
export const recordInviteChange = (
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
