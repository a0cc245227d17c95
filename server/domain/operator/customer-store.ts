// SQL of the page of one project for operators.
import type { Insertable } from 'kysely'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { ProjectTables } from '#server/db/tables-projects.ts'

const shownMax = 100

/** Returns the members of a project, oldest first. */
export const listCustomerMembers = (db: ReadDb, projectId: number) =>
  db
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select([
      'users.id as user_id',
      'users.first_name',
      'users.last_name',
      'users.email',
      'project_members.access_type',
    ])
    .where('project_id', '=', projectId)
    .orderBy('project_members.id')
    .limit(shownMax)
    .execute()

/** Returns the codes that a project has redeemed, newest first. */
export const listRedeemed = (db: ReadDb, projectId: number) =>
  db
    .selectFrom('promo_uses')
    .innerJoin('promo_codes', 'promo_codes.id', 'promo_uses.promo_id')
    .select(['promo_codes.code', 'promo_codes.name', 'promo_uses.date_create as date'])
    .where('promo_uses.project_id', '=', projectId)
    .orderBy('promo_uses.date_create', 'desc')
    .limit(shownMax)
    .execute()

/** Returns the newest papers of a project. */
export const listRecentPapers = (db: ReadDb, projectId: number) =>
  db
    .selectFrom('papers')
    .select(['id', 'series', 'number', 'payment_id', 'date_create'])
    .where('project_id', '=', projectId)
    .orderBy('id', 'desc')
    .limit(shownMax)
    .execute()

/** Returns the notes on a project, newest first. */
export const listNotes = (db: ReadDb, projectId: number) =>
  db
    .selectFrom('project_notes')
    .innerJoin('users', 'users.id', 'project_notes.user_id')
    .select([
      'project_notes.id',
      'users.first_name',
      'users.last_name',
      'project_notes.text',
      'project_notes.date_create',
    ])
    .where('project_id', '=', projectId)
    .orderBy('project_notes.id', 'desc')
    .limit(shownMax)
    .execute()

/** Inserts a note. */
export async function insertNote(trx: Trx, values: Insertable<ProjectTables['project_notes']>): Promise<void> {
  await trx.insertInto('project_notes').values(values).execute()
}

/** Suspends a project. @param suspension null: resumes it */
export async function updateSuspension(
  trx: Trx,
  projectId: number,
  suspension: { readonly date: string; readonly reason: string } | null,
): Promise<void> {
  const { date = null, reason = null } = suspension ?? {}
  await trx
    .updateTable('projects')
    .set({ date_suspend: date, suspend_reason: reason })
    .where('id', '=', projectId)
    .execute()
}
