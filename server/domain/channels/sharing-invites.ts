// Invitations to use a channel, from the side of its owners: to a project, to an e-mail, or by a link. A secret works
// once, is kept as a hash, and is good for a week. The caller holds the channel.
import type { Selectable } from 'kysely'
import type { AccessType } from '#contract/entities/project.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { hashOf, randomToken } from '#server/core/secrets.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { maskedEmail } from '#server/domain/account/accounts.ts'
import { findLink, noteShared } from './sharing-links.ts'
import { alreadyShared, mustBeGuest } from './sharing-rules.ts'
import type { ChannelRow } from './channels.ts'

export type ChannelInviteRow = Selectable<Tables['channel_invites']>

const lifeMs = 7 * 86_400_000
const waitingMax = 100

/** Whom an invitation is for: a project by its external id, an e-mail (`normalEmail`), or whoever has the link. */
export type Invitee = { readonly externalId: string } | { readonly email: string } | { readonly link: true }

/**
 * Makes an invitation. An older one to the same project or e-mail is replaced.
 * @returns its row, and the secret that nobody will see again; empty where the project is named
 * @throws RuleError `OneOwner`, `ProjectNotFound`, `AlreadyShared` or `TooManyInvites`
 */
export async function addChannelInvite(
  services: Services,
  trx: Trx,
  channel: ChannelRow,
  { userId, access, to }: { readonly userId: number; readonly access: AccessType; readonly to: Invitee },
): Promise<{ readonly row: ChannelInviteRow; readonly secret: string }> {
  const accessType = mustBeGuest(access)
  const projectId = 'externalId' in to ? await findByExternalId(trx, to.externalId) : null
  const email = 'email' in to ? to.email : null
  if (projectId !== null && (await findLink(trx, projectId, channel.id))) throw alreadyShared()
  if (projectId !== null || email !== null) {
    const same = projectId === null ? { email } : { to_project_id: projectId }
    await withdrawChannelInvites(services, trx, userId, { channel_id: channel.id, ...same })
  }
  if ((await listChannelInvites(services, trx, channel.id)).length >= waitingMax) {
    throw new RuleError('TooManyInvites', `At most ${waitingMax} invitations wait at once`, { max: waitingMax })
  }
  const secret = projectId === null ? randomToken() : ''
  const now = services.clock.now()
  const row = await trx
    .insertInto('channel_invites')
    .values({
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
    .returningAll()
    .executeTakeFirstOrThrow()
  await noteChannelInvite(services, trx, row, { userId, name: channel.name, what: 'add' })
  return { row, secret }
}

/** External ids are long random numbers: who knows one was given it. */
async function findByExternalId(trx: Trx, externalId: string): Promise<number> {
  const row = await trx.selectFrom('projects').select('id').where('external_id', '=', externalId).executeTakeFirst()
  if (!row) throw new RuleError('ProjectNotFound', 'No project has this id')
  return row.id
}

/** Invitations of a channel that wait or were declined, newest first, until they are too old. */
export const listChannelInvites = ({ clock }: Pick<Services, 'clock'>, db: Db | Trx, channelId: number) =>
  openInvites(db, iso(clock.now())).where('invite.channel_id', '=', channelId).orderBy('invite.id', 'desc').execute()

/** One of them; undefined when it is over. */
export const findChannelInvite = ({ clock }: Pick<Services, 'clock'>, db: Db, id: number) =>
  openInvites(db, iso(clock.now())).where('invite.id', '=', id).executeTakeFirst()

/** An invitation stands as long as its channel belongs to the project that made it, and who made it owns that. */
const openInvites = (db: Db | Trx, now: string) =>
  db
    .selectFrom('channel_invites as invite')
    .innerJoin('channels', (on) =>
      on
        .onRef('channels.id', '=', 'invite.channel_id')
        .onRef('channels.owner_project_id', '=', 'invite.from_project_id'),
    )
    .innerJoin('project_members as inviter', (on) =>
      on
        .onRef('inviter.user_id', '=', 'invite.from_user_id')
        .onRef('inviter.project_id', '=', 'invite.from_project_id')
        .on('inviter.access_type', '=', 2),
    )
    .innerJoin('projects as from_project', 'from_project.id', 'invite.from_project_id')
    .leftJoin('projects as to_project', 'to_project.id', 'invite.to_project_id')
    .selectAll('invite')
    .select([
      'channels.name as channel_name',
      'channels.photo as channel_photo',
      'channels.type as channel_type',
      'from_project.name as from_name',
      'from_project.fename as from_fename',
      'from_project.photo as from_photo',
      'from_project.external_id as from_external_id',
      'to_project.name as to_name',
      'to_project.fename as to_fename',
      'to_project.photo as to_photo',
      'to_project.external_id as to_external_id',
    ])
    .where('invite.date_end', 'is', null)
    .where('invite.date_expire', '>', now)

/** Invitations that nobody has answered: what the invited may see. */
export const waitingInvites = ({ clock }: Pick<Services, 'clock'>, db: Db | Trx) =>
  openInvites(db, iso(clock.now())).where('invite.reject', '=', 0)

export type OpenInvite = Awaited<ReturnType<typeof listChannelInvites>>[number]

/** Which invitations of a channel: all, one, or those to a project or an e-mail. */
export interface Which {
  readonly channel_id: number
  readonly id?: number
  readonly email?: string | null
  readonly to_project_id?: number
}

/** Withdraws invitations. @returns how many */
export async function withdrawChannelInvites(
  services: Services,
  trx: Trx,
  userId: number,
  which: Which,
): Promise<number> {
  const rows = await trx
    .updateTable('channel_invites')
    .set({ date_end: iso(services.clock.now()) })
    .where((eb) => eb.and({ ...which }))
    .where('date_end', 'is', null)
    .returningAll()
    .execute()
  const channel = await trx.selectFrom('channels').select('name').where('id', '=', which.channel_id).executeTakeFirst()
  for (const row of rows) {
    await noteChannelInvite(services, trx, row, { userId, name: channel?.name ?? '', what: 'del' })
  }
  return rows.length
}

/** Notes what became of an invitation; the other project hears of it once it has answered. */
export const noteChannelInvite = (
  services: Services,
  trx: Trx,
  row: ChannelInviteRow,
  of: {
    readonly userId: number
    readonly name: string
    readonly what: 'add' | 'del' | 'accept' | 'decline'
    readonly guestId?: number
  },
): Promise<void> =>
  noteShared(services, trx, {
    userId: of.userId,
    channelId: row.channel_id,
    name: of.name,
    ownerId: row.from_project_id,
    guestId: of.guestId ?? null,
    action: `project_channel_invite_${of.what}`,
    details: { invite_id: row.id, access_type: row.access_type, ...(row.email && { email: maskedEmail(row.email) }) },
  })
