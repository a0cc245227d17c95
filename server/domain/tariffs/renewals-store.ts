// SQL of the switches of automatic renewal, one for each line of a project.
import type { LineName } from '#contract/entities/plan.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { Instant } from '#server/core/clock.ts'

/** Returns whether a line of a project is renewed automatically. */
export async function findRenewal(db: ReadDb, projectId: number, line: LineName): Promise<boolean> {
  const row = await db
    .selectFrom('plan_renewals')
    .select('line')
    .where('project_id', '=', projectId)
    .where('line', '=', line)
    .executeTakeFirst()
  return row !== undefined
}

/** Switches the automatic renewal of a line on. */
export async function insertRenewal(trx: Trx, projectId: number, line: LineName, now: Instant): Promise<void> {
  await trx
    .insertInto('plan_renewals')
    .values({ project_id: projectId, line, date_create: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Switches the automatic renewal of a line off. */
export async function removeRenewal(trx: Trx, projectId: number, line: LineName): Promise<void> {
  await trx.deleteFrom('plan_renewals').where('project_id', '=', projectId).where('line', '=', line).execute()
}

/**
 * Returns lines that are renewed automatically and whose last term ends before a time, earliest end first: a queued plan is
 * their last term.
 */
export const listRenewals = (db: ReadDb, before: Instant, limit: number) =>
  db
    .selectFrom('plan_renewals as renewal')
    .innerJoin('plan_terms as term', (join) =>
      join.onRef('term.project_id', '=', 'renewal.project_id').onRef('term.line', '=', 'renewal.line'),
    )
    .select(({ fn }) => [
      'renewal.project_id as projectId',
      'renewal.line as line',
      fn.max<string>('term.date_end').as('end'),
    ])
    .where('term.date_cancel', 'is', null)
    .groupBy(['renewal.project_id', 'renewal.line'])
    .having(({ fn }) => fn.max('term.date_end'), '<=', before)
    .orderBy('end')
    .limit(limit)
    .execute()
