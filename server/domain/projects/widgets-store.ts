// SQL of widgets. Scopes, project and end of the token of a widget are those of its token family.
import type { Insertable, Updateable } from 'kysely'
import { countRows } from '#server/db/fragments.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

/** Returns the widgets of a project, newest first; `active`: 1 for those whose token lives, and whose member is still one. */
export const listWidgets = (db: ReadDb, projectId: number, now: string) =>
  db
    .selectFrom('widgets')
    .selectAll('widgets')
    .select((eb) =>
      eb
        .selectFrom('token_families')
        .innerJoin('project_members', (join) =>
          join
            .onRef('project_members.user_id', '=', 'token_families.user_id')
            .onRef('project_members.project_id', '=', 'token_families.project_id'),
        )
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('token_families.id', '=', 'widgets.family_id')
        .where('token_families.date_revoke', 'is', null)
        .where('token_families.date_max', '>', now)
        .as('active'),
    )
    .where('widgets.project_id', '=', projectId)
    .orderBy('widgets.id', 'desc')
    .execute()

export type WidgetListRow = Awaited<ReturnType<typeof listWidgets>>[number]

export const findWidget = (db: ReadDb, id: number) =>
  db.selectFrom('widgets').selectAll().where('id', '=', id).executeTakeFirst()

export const countWidgets = (trx: ReadDb, projectId: number): Promise<number> =>
  countRows(trx.selectFrom('widgets').where('project_id', '=', projectId))

/** Returns the token families of the widgets of a project that a user made. */
export async function listWidgetFamilies(trx: ReadDb, projectId: number, userId: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('widgets')
    .innerJoin('token_families', 'token_families.id', 'widgets.family_id')
    .select('token_families.id')
    .where('widgets.project_id', '=', projectId)
    .where('token_families.user_id', '=', userId)
    .execute()
  return rows.map(({ id }) => id)
}

export const insertWidget = (trx: Trx, values: Insertable<Tables['widgets']>): Promise<{ readonly id: number }> =>
  trx.insertInto('widgets').values(values).returning('id').executeTakeFirstOrThrow()

export async function updateWidget(trx: Trx, id: number, values: Updateable<Tables['widgets']>): Promise<void> {
  await trx.updateTable('widgets').set(values).where('id', '=', id).execute()
}

export async function removeWidget(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('widgets').where('id', '=', id).execute()
}

/** Sets the last use of a widget, unless another call has set it since. */
export async function updateWidgetUse(
  db: Db,
  familyId: number,
  use: { readonly at: string; readonly ifBefore: string; readonly address: string; readonly program: string },
): Promise<void> {
  await db
    .updateTable('widgets')
    .set({ date_use: use.at, use_address: use.address, use_program: use.program })
    .where('family_id', '=', familyId)
    .where((eb) => eb.or([eb('date_use', 'is', null), eb('date_use', '<', use.ifBefore)]))
    .execute()
}
