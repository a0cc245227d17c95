// Invitations to use a channel, from the side of the project that answers. One refusal for everything that is not good:
// never made, used, declined, withdrawn, too old.
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { hashOf } from '#server/core/secrets.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { noteChannelInvite, type OpenInvite, waitingInvites } from './sharing-invites.ts'
import { countLinks, findLink, insertLink, lockChannel, noteShared } from './sharing-links.ts'
import { alreadyShared, guestsMax } from './sharing-rules.ts'

/** An invitation by what the invited know of it: the project that it is for, or the secret of its link. */
export type Known = { readonly channelId: number } & ({ readonly toProjectId: number } | { readonly secret: string })

const rejected = () => new RuleError('InviteRejected', 'This invitation was used or withdrawn, or it is too old')

/** Invitations that a project has not answered yet, newest first. */
export const listReceived = (services: Pick<Services, 'clock' | 'db'>, projectId: number): Promise<OpenInvite[]> =>
  waitingInvites(services, services.db)
    .where('invite.to_project_id', '=', projectId)
    .orderBy('invite.id', 'desc')
    .execute()

/** What an invitation says, before it is answered. @throws RuleError `InviteRejected` */
export async function readChannelInvite(
  services: Pick<Services, 'clock' | 'db'>,
  known: Known,
  db: Db | Trx = services.db,
): Promise<OpenInvite> {
  const row = await waitingInvites(services, db)
    .where('invite.channel_id', '=', known.channelId)
    .where((eb) =>
      'secret' in known
        ? eb('invite.hash', '=', hashOf(known.secret))
        : eb('invite.to_project_id', '=', known.toProjectId),
    )
    .orderBy('invite.id', 'desc')
    .executeTakeFirst()
  if (!row) throw rejected()
  return row
}

/**
 * Takes the channel into a project. Asking again after it worked is fine: the answer may have been lost.
 * @throws RuleError `InviteRejected`, `AlreadyShared` or `TooManyGuests`
 */
export const acceptChannelInvite = (services: Services, user: User, projectId: number, known: Known): Promise<void> =>
  transaction(services.db, async (trx) => {
    await lockChannel(trx, known.channelId)
    const link = await findLink(trx, projectId, known.channelId)
    if (link && (await wasAcceptedBy(trx, projectId, known))) return
    const invite = await readChannelInvite(services, known, trx)
    if (link) throw alreadyShared()
    // The owner has a row of its own.
    if ((await countLinks(trx, known.channelId)) > guestsMax) {
      throw new RuleError('TooManyGuests', `A channel is shared with at most ${guestsMax} projects`, { max: guestsMax })
    }
    await insertLink(services, trx, { projectId, channelId: invite.channel_id, accessType: invite.access_type })
    await trx
      .updateTable('channel_invites')
      .set({ date_end: iso(services.clock.now()), accepted_project_id: projectId })
      .where('id', '=', invite.id)
      .execute()
    const of = { userId: user.id, name: invite.channel_name, guestId: projectId }
    await noteChannelInvite(services, trx, invite, { ...of, what: 'accept' })
    await noteShared(services, trx, {
      ...of,
      channelId: invite.channel_id,
      ownerId: invite.from_project_id,
      action: 'project_channel_add',
      details: { to: invite.access_type },
    })
  })

/** Turns an invitation down, for good. @throws RuleError `InviteRejected` */
export const declineChannelInvite = (services: Services, user: User, projectId: number, known: Known): Promise<void> =>
  transaction(services.db, async (trx) => {
    await lockChannel(trx, known.channelId)
    const invite = await readChannelInvite(services, known, trx)
    await trx.updateTable('channel_invites').set({ reject: 1, hash: null }).where('id', '=', invite.id).execute()
    const of = { userId: user.id, name: invite.channel_name, guestId: projectId }
    await noteChannelInvite(services, trx, invite, { ...of, what: 'decline' })
  })

async function wasAcceptedBy(trx: Trx, projectId: number, known: Known): Promise<boolean> {
  const row = await trx
    .selectFrom('channel_invites')
    .select('id')
    .where('channel_id', '=', known.channelId)
    .where('accepted_project_id', '=', projectId)
    .where((eb) =>
      'secret' in known ? eb('hash', '=', hashOf(known.secret)) : eb('to_project_id', '=', known.toProjectId),
    )
    .executeTakeFirst()
  return row !== undefined
}
