// People as the projects area sees them.
import type { Db } from '#server/db/open.ts'

/** A person by what others know them by, when they share a project with the one who asks. */
export const findColleague = (db: Db, userId: number, externalId: string) =>
  db
    .selectFrom('users')
    .select(['id', 'external_id', 'first_name', 'last_name', 'photo', 'currency', 'country_id'])
    .where('external_id', '=', externalId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('project_members as theirs')
          .innerJoin('project_members as mine', 'mine.project_id', 'theirs.project_id')
          .select('mine.id')
          .whereRef('theirs.user_id', '=', 'users.id')
          .where('mine.user_id', '=', userId),
      ),
    )
    .executeTakeFirst()

/** Keeps which project a person looked at last. */
export async function rememberProject(db: Db, userId: number, projectId: number): Promise<void> {
  await db.updateTable('users').set({ last_project_id: projectId }).where('id', '=', userId).execute()
}
