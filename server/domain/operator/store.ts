// SQL of the operator's pages.
import type { Db, Trx } from '#server/db/open.ts'

/** Counts the projects, and those with a bought plan that runs. */
export async function countProjects(db: Db | Trx, now: string): Promise<{ all: number; paid: number }> {
  const { all } = await db
    .selectFrom('projects')
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow()
  const { paid } = await db
    .selectFrom('plan_terms')
    .select(({ fn }) => fn.count<number>('project_id').distinct().as('paid'))
    .where('line', '=', 'restream')
    .where('date_start', '<=', now)
    .where('date_end', '>', now)
    .where('date_cancel', 'is', null)
    .executeTakeFirstOrThrow()
  return { all, paid }
}
