// SQL of invitations to use a channel.
import type { Insertable, Selectable, Updateable } from 'kysely'
import { accessTypesFor } from '#contract/entities/roles.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type ChannelInviteRow = Selectable<Tables['channel_invites']>

/** Identity of an invitation: the invited project, or the hash of the secret of its link. */
export type InviteTarget = { readonly toProjectId: number } | { readonly hash: string }

/** Invitations to withdraw: all of a channel, one, or those to a project or an e-mail. */
export interface InviteFilter {
  readonly channel_id: number
  readonly id?: number
  readonly email?: string | null
  readonly to_project_id?: number
}

/** Returns the open invitations of a channel, pending and declined, newest first. @param now ISO 8601 */
export const listInvitesOfChannel = (db: ReadDb, channelId: number, now: string) =>
  open(db, now).where('invite.channel_id', '=', channelId).orderBy('invite.id', 'desc').execute()

export type OpenInvite = Awaited<ReturnType<typeof listInvitesOfChannel>>[number]

/** Returns an open invitation. @param now ISO 8601 */
export const findInvite = (db: ReadDb, id: number, now: string): Promise<OpenInvite | undefined> =>
  open(db, now).where('invite.id', '=', id).executeTakeFirst()

/** Returns the pending invitations to a project, newest first. @param now ISO 8601 */
export const listInvitesToProject = (db: ReadDb, projectId: number, now: string): Promise<OpenInvite[]> =>
  pending(db, now).where('invite.to_project_id', '=', projectId).orderBy('invite.id', 'desc').execute()

/** Returns the newest pending invitation to a channel for a target. @param now ISO 8601 */
export const findPendingInvite = (
  db: ReadDb,
  channelId: number,
  target: InviteTarget,
  now: string,
): Promise<OpenInvite | undefined> =>
  pending(db, now)
    .where('invite.channel_id', '=', channelId)
    .where((eb) =>
      'hash' in target ? eb('invite.hash', '=', target.hash) : eb('invite.to_project_id', '=', target.toProjectId),
    )
    .orderBy('invite.id', 'desc')
    .executeTakeFirst()

/** Returns the invitation of a target that a project accepted. */
export const findAcceptedInvite = (trx: ReadDb, projectId: number, channelId: number, target: InviteTarget) =>
  trx
    .selectFrom('channel_invites')
    .select('id')
    .where('channel_id', '=', channelId)
    .where('accepted_project_id', '=', projectId)
    .where((eb) => ('hash' in target ? eb('hash', '=', target.hash) : eb('to_project_id', '=', target.toProjectId)))
    .executeTakeFirst()

/** Returns the project with an external id. */
export const findProjectByExternalId = (
  trx: ReadDb,
  externalId: string,
): Promise<{ readonly id: number } | undefined> =>
  trx.selectFrom('projects').select('id').where('external_id', '=', externalId).executeTakeFirst()

/** Inserts an invitation. */
export const insertInvite = (trx: Trx, row: Insertable<Tables['channel_invites']>): Promise<ChannelInviteRow> =>
  trx.insertInto('channel_invites').values(row).returningAll().executeTakeFirstOrThrow()

/** Updates an invitation. */
export async function updateInvite(trx: Trx, id: number, change: Updateable<Tables['channel_invites']>): Promise<void> {
  await trx.updateTable('channel_invites').set(change).where('id', '=', id).execute()
}

/** Ends open invitations. @param at ISO 8601 @returns those that were open */
export const updateEnded = (trx: Trx, filter: InviteFilter, at: string): Promise<ChannelInviteRow[]> =>
  trx
    .updateTable('channel_invites')
    .set({ date_end: at })
    .where((eb) => eb.and({ ...filter }))
    .where('date_end', 'is', null)
    .returningAll()
    .execute()

/** An invitation is open while its channel belongs to the inviting project, and the inviter owns that project. */
const open = (db: ReadDb, now: string) =>
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
        .on('inviter.access_type', 'in', accessTypesFor('owner')),
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

/** Open invitations that were neither accepted nor declined. */
const pending = (db: ReadDb, now: string) => open(db, now).where('invite.reject', '=', 0)
