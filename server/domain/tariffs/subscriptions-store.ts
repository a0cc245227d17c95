// SQL of bought terms: paid periods, automatic renewal, notices of ends. Rules are in subscriptions-rules.ts.
import { randomUUID } from 'node:crypto'
import { type Selectable, sql, type Updateable } from 'kysely'
import type { LineName, Period } from '#contract/entities/plan.ts'
import { scheduleJob } from '#server/db/jobs.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Balance } from '#server/domain/money/balance.ts'
import type { Instant } from '#server/core/clock.ts'
import type { BoughtTerm, PaidPeriod, Sold } from './subscriptions-slots.ts'

/** A term with columns that only the store needs. */
export type StoredTerm<A extends Sold = Sold> = BoughtTerm<A> & {
  /** Time of the purchase, and time at which its end was handled. */
  readonly created: Instant
  readonly rolled: Instant | null
}

/** A term of a project in a line. */
interface TermOf {
  readonly projectId: number
  readonly line: LineName
  readonly term: StoredTerm
}

/**
 * Returns the last three terms of each project in each line in order of time, without cancelled ones: slots show no others.
 * One statement.
 */
export async function listTerms(
  db: ReadDb,
  projectIds: readonly number[],
  lines: readonly LineName[],
): Promise<TermOf[]> {
  const { rows } = await selectTerms(projectIds, lines).execute(db)
  const terms = new Map<number, TermOf & { readonly term: { readonly periods: PaidPeriod[] } }>()
  for (const row of rows) {
    const { term } = terms.get(row.id) ?? { term: termOf(row) }
    terms.set(row.id, { projectId: row.project_id, line: row.line, term })
    term.periods.push({
      period: row.period,
      start: row.period_start,
      end: row.period_end,
      paid: { bonus: row.bonus_minor, payment: row.payment_minor, profit: row.profit_minor },
    })
  }
  return [...terms.values()]
}

interface TermRow extends Selectable<Tables['plan_terms']> {
  readonly period: Period
  readonly period_start: Instant
  readonly period_end: Instant
  readonly bonus_minor: number
  readonly payment_minor: number
  readonly profit_minor: number
}

/** Selects a row per paid period; every term has at least one. SQL text, because it is easier to read. */
const selectTerms = (
  projectIds: readonly number[],
  lines: readonly LineName[],
) => sql<TermRow>`select term.*, paid.period, paid.date_start as period_start, paid.date_end as period_end,
    paid.bonus_minor, paid.payment_minor, paid.profit_minor
  from (
    select *, row_number() over (partition by project_id, line order by date_start desc, id desc) as nth from plan_terms
    where project_id in (${sql.join(projectIds)}) and line in (${sql.join(lines)}) and date_cancel is null
  ) term
  join plan_periods paid on paid.term_id = term.id
  where term.nth <= 3
  order by term.date_start, term.id, paid.id`

const termOf = (row: Selectable<Tables['plan_terms']>) => ({
  // Written by `insertTerm` with the allowance of the line.
  ...(JSON.parse(row.allowance) as Sold),
  id: row.id,
  planId: row.plan_id,
  start: row.date_start,
  end: row.date_end,
  created: row.date_create,
  rolled: row.date_rolled,
  periods: [] as PaidPeriod[],
})

/** Inserts a term with the allowance that is sold now, and schedules the handling of its end. */
export async function insertTerm(
  trx: Trx,
  { projectId, line }: { readonly projectId: number; readonly line: LineName },
  { planId, ...allowance }: Sold,
  dates: { readonly created: Instant; readonly start: Instant; readonly end: Instant },
): Promise<number> {
  const { id } = await trx
    .insertInto('plan_terms')
    .values({
      project_id: projectId,
      line,
      plan_id: planId,
      allowance: JSON.stringify(allowance),
      date_create: dates.created,
      date_start: dates.start,
      date_end: dates.end,
      date_cancel: null,
      date_rolled: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await scheduleJob(trx, planEndKind, id, { inMs: Date.parse(dates.end) - Date.parse(dates.created) })
  return id
}

/** Inserts a paid period of a term, with the ledger transaction that paid it. */
export async function insertPeriod(trx: Trx, termId: number, transactionId: number, paid: PaidPeriod): Promise<void> {
  await trx
    .insertInto('plan_periods')
    .values({
      uuid: randomUUID(),
      term_id: termId,
      transaction_id: transactionId,
      period: paid.period,
      date_start: paid.start,
      date_end: paid.end,
      ...columnsOf(paid.paid),
    })
    .execute()
}

/** Updates dates of a term: its end, the time its end was handled, the time a queued one was cancelled. */
export const updateTerm = (
  trx: Trx,
  id: number,
  change: Pick<Updateable<Tables['plan_terms']>, 'date_end' | 'date_rolled' | 'date_cancel'>,
) => trx.updateTable('plan_terms').set(change).where('id', '=', id).execute()

/** Moves a queued term. It has one period, because it is bought once. */
export async function updateTermDates(trx: Trx, { id, start, end }: BoughtTerm<Sold>): Promise<void> {
  const dates = { date_start: start, date_end: end }
  await trx.updateTable('plan_terms').set(dates).where('id', '=', id).execute()
  await trx.updateTable('plan_periods').set(dates).where('term_id', '=', id).execute()
}

/** Kind of the jobs of ends of terms; the key is the term. */
export const planEndKind = { kind: 'tariffs.ends' } as const

/** Terms whose end was not handled yet. */
const openTerms = (db: ReadDb) =>
  db.selectFrom('plan_terms').where('date_rolled', 'is', null).where('date_cancel', 'is', null)

/**
 * Lists the terms that end until a time and whose end was not handled yet, oldest first.
 * @param projectId default: of all projects
 */
export async function listEndedTerms(db: ReadDb, until: Instant, projectId?: number): Promise<readonly number[]> {
  let ended = openTerms(db).select('id').where('date_end', '<=', until)
  if (projectId !== undefined) ended = ended.where('project_id', '=', projectId)
  return (await ended.orderBy('date_end').orderBy('id').execute()).map(({ id }) => id)
}

/** Returns a term whose end was not handled yet, and whether a broadcast on air began in it. */
export const findOpenTerm = (db: ReadDb, id: number) =>
  openTerms(db)
    .select(['id', 'project_id as projectId', 'line', 'date_end as end'])
    .select(({ selectFrom, fn }) =>
      selectFrom('broadcasts')
        .select(fn.countAll<number>().as('count'))
        .whereRef('broadcasts.project_id', '=', 'plan_terms.project_id')
        .where('broadcasts.date_end', 'is', null)
        .whereRef('broadcasts.date_create', '>=', 'plan_terms.date_start')
        .whereRef('broadcasts.date_create', '<', 'plan_terms.date_end')
        .as('holds'),
    )
    .where('id', '=', id)
    .executeTakeFirst()

/**
 * Marks the end of a term as handled.
 * @returns whether this call did it; of concurrent calls one does
 */
export async function updateTermRolled(trx: Trx, id: number, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('plan_terms')
    .set({ date_rolled: now })
    .where('id', '=', id)
    .where('date_end', '<=', now)
    .where('date_rolled', 'is', null)
    .where('date_cancel', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns the newest paid period of a term, for project info. */
export const findLastPeriod = (db: ReadDb, termId: number) =>
  db
    .selectFrom('plan_periods')
    .innerJoin('ledger_transactions', 'ledger_transactions.id', 'plan_periods.transaction_id')
    .select(['plan_periods.uuid', 'period', 'ledger_transactions.uuid as moneyFlowUuid', 'date_create as bought'])
    .where('term_id', '=', termId)
    .orderBy('plan_periods.id', 'desc')
    .executeTakeFirst()

const columnsOf = ({ bonus, payment, profit }: Balance) => ({
  bonus_minor: bonus,
  payment_minor: payment,
  profit_minor: profit,
})

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
