// SQL of invitations into a project. Rows hold the hash of the secret; the secret itself is stored nowhere.
import type { Insertable, Selectable } from 'kysely'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/** An invitation into a project. */
export type InviteRow = Selectable<Tables['project_invites']>

/** Selects invitations of a project: one, those to an e-mail, or those that a member sent. */
export type InviteSelector = { readonly project_id: number } & (
  | { readonly id: number }
  | { readonly email: string }
  | { readonly from_user_id: number }
)

/** Returns an open invitation with the names of its project and its sender. */
export const findOpenInvite = (db: ReadDb, hash: string, now: string) =>
  db
    .selectFrom('project_invites')
    .innerJoin('projects', 'projects.id', 'project_invites.project_id')
    .innerJoin('users', 'users.id', 'project_invites.from_user_id')
    .select([
      'project_invites.access_type',
      'project_invites.date_expire',
      'projects.name',
      'projects.fename',
      'projects.photo',
      'projects.type',
      'users.first_name',
      'users.last_name',
    ])
    .where('project_invites.hash', '=', hash)
    .where('project_invites.date_end', 'is', null)
    .where('project_invites.date_expire', '>', now)
    .executeTakeFirst()

/** Identity of an invitation: the hash of its secret, or its id with the invited e-mail. */
export type StoredInviteKey = { readonly hash: string } | { readonly id: number; readonly email: string }

/** Returns the project of an invitation, open or not. */
export async function findInvitedProject(trx: ReadDb, key: StoredInviteKey): Promise<number | undefined> {
  const row = await trx
    .selectFrom('project_invites')
    .select('project_id')
    .where((eb) => eb.and({ ...key }))
    .executeTakeFirst()
  return row?.project_id
}

/** Returns an invitation, open or not. */
export const getInvite = (trx: ReadDb, key: StoredInviteKey): Promise<InviteRow> =>
  trx
    .selectFrom('project_invites')
    .selectAll()
    .where((eb) => eb.and({ ...key }))
    .executeTakeFirstOrThrow()

/** Returns the open invitations of a project with the name of the sender, newest first. */
export const listOpenInvites = (db: ReadDb, projectId: number, now: string) =>
  db
    .selectFrom('project_invites')
    .innerJoin('users', 'users.id', 'project_invites.from_user_id')
    .selectAll('project_invites')
    .select(['users.first_name', 'users.last_name'])
    .where('project_id', '=', projectId)
    .where('date_end', 'is', null)
    .where('date_expire', '>', now)
    .orderBy('project_invites.id', 'desc')
    .execute()

/** Inserts an invitation. */
export const insertInvite = (trx: Trx, values: Insertable<Tables['project_invites']>): Promise<InviteRow> =>
  trx.insertInto('project_invites').values(values).returningAll().executeTakeFirstOrThrow()

/** Ends an invitation. @param acceptedBy user that accepted it; null when it was declined */
export async function updateInviteEnded(trx: Trx, id: number, now: string, acceptedBy: number | null): Promise<void> {
  await trx
    .updateTable('project_invites')
    .set({ date_end: now, accepted_by: acceptedBy })
    .where('id', '=', id)
    .execute()
}

/** Ends invitations that have not ended. @returns their rows */
export const updateInvitesEnded = (trx: Trx, which: InviteSelector, now: string): Promise<InviteRow[]> =>
  trx
    .updateTable('project_invites')
    .set({ date_end: now })
    .where((eb) => eb.and(which))
    .where('date_end', 'is', null)
    .returningAll()
    .execute()
