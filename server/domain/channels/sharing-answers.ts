// Invitations to use a channel, for the invited project. Unknown, used, declined, withdrawn and expired invitations are
// refused with the same error.
import { iso } from '#server/core/clock.ts'
import type { Reading, Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { hashOf } from '#server/core/secrets.ts'
import type { ReadDb } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import {
  findAcceptedInvite,
  findPendingInvite,
  type InviteTarget,
  listInvitesToProject,
  type OpenInvite,
  updateInvite,
} from './invites-store.ts'
import { countLinks, findLink, insertLink } from './links-store.ts'
import { recordSharedChange } from './sharing-history.ts'
import { recordInviteChange } from './sharing-invites.ts'
import { alreadyShared, guestsMax } from './sharing-rules.ts'
import { lockChannel } from './store.ts'

/** Key of an invitation: the invited project, or the secret of its link. */
export type InviteKey = { readonly channelId: number } & (
  | { readonly toProjectId: number }
  | { readonly secret: string }
)

const rejected = () => new RuleError('InviteRejected', 'This invitation was used or withdrawn, or it is too old')

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
      throw new RuleError('TooManyGuests', `A channel is shared with at most ${guestsMax} projects`, { max: guestsMax })
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
