// SQL of notices about plans that end: one of each kind for each end of a term.
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { Instant } from '#server/core/clock.ts'

/** Returns running terms that end before a time, without a queued plan and without automatic renewal, first end first. */
export const listEnding = (db: ReadDb, now: Instant, before: Instant, limit: number) =>
  db
    .selectFrom('plan_terms as term')
    .select(['term.id', 'term.project_id as projectId', 'term.line', 'term.plan_id as planId', 'term.date_end as end'])
    .where('term.date_cancel', 'is', null)
    .where('term.date_rolled', 'is', null)
    .where('term.date_start', '<=', now)
    .where('term.date_end', '>', now)
    .where('term.date_end', '<=', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('plan_terms as later')
            .select('later.id')
            .whereRef('later.project_id', '=', 'term.project_id')
            .whereRef('later.line', '=', 'term.line')
            .whereRef('later.date_start', '>=', 'term.date_end')
            .where('later.date_cancel', 'is', null),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('plan_renewals as renewal')
            .select('renewal.line')
            .whereRef('renewal.project_id', '=', 'term.project_id')
            .whereRef('renewal.line', '=', 'term.line'),
        ),
      ),
    )
    .orderBy('term.date_end')
    .limit(limit)
    .execute()

/** Records a notice. @returns whether this call did it; of concurrent calls one does */
export async function insertNotice(
  trx: Trx,
  {
    termId,
    kind,
    end,
    now,
  }: { readonly termId: number; readonly kind: string; readonly end: Instant; readonly now: Instant },
): Promise<boolean> {
  const row = await trx
    .insertInto('plan_notices')
    .values({ term_id: termId, kind, date_end: end, date_create: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('term_id')
    .executeTakeFirst()
  return row !== undefined
}
