// SQL of bought terms and their paid periods. Rules are in subscriptions-rules.ts.
import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Period } from '#contract/entities/plan.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Balance } from './balance.ts'
import type { Instant } from './subscriptions-periods.ts'
import type { Allowance, BoughtTerm, PaidPeriod } from './subscriptions-slots.ts'

/** A term with columns that only the store needs. */
export interface StoredTerm extends BoughtTerm {
  /** Time of the purchase, and time at which its end was handled. */
  readonly created: Instant
  readonly rolled: Instant | null
}

/** Returns the last three terms of a project in order of time, without cancelled ones: its slots show no others. */
export async function listTerms(db: Db | Trx, projectId: number): Promise<StoredTerm[]> {
  const { rows } = await selectTerms(projectId).execute(db)
  const terms = new Map<number, StoredTerm & { readonly periods: PaidPeriod[] }>()
  for (const row of rows) {
    const term = terms.get(row.id) ?? termOf(row)
    terms.set(row.id, term)
    term.periods.push({
      period: row.period,
      start: row.period_start,
      end: row.period_end,
      paid: { bonus: row.bonus_minor, payment: row.payment_minor, profit: row.profit_minor },
    })
  }
  return [...terms.values()]
}

interface TermRow extends Selectable<Tables['restream_terms']> {
  readonly period: Period
  readonly period_start: Instant
  readonly period_end: Instant
  readonly bonus_minor: number
  readonly payment_minor: number
  readonly profit_minor: number
}

/** Selects a row per paid period; every term has at least one. SQL text, because it is easier to read. */
const selectTerms = (
  projectId: number,
) => sql<TermRow>`select term.*, paid.period, paid.date_start as period_start, paid.date_end as period_end,
    paid.bonus_minor, paid.payment_minor, paid.profit_minor
  from (
    select * from restream_terms
    where project_id = ${projectId} and date_cancel is null
    order by date_start desc, id desc
    limit 3
  ) term
  join restream_periods paid on paid.term_id = term.id
  order by term.date_start, term.id, paid.id`

const termOf = (row: Selectable<Tables['restream_terms']>) => ({
  id: row.id,
  planId: row.plan_id,
  channels: row.channel_max,
  bitrate: row.bitrate_max,
  customChannels: row.support_custom_channel === 1,
  customVideo: row.custom_video,
  start: row.date_start,
  end: row.date_end,
  created: row.date_create,
  rolled: row.date_rolled,
  periods: [] as PaidPeriod[],
})

/** Inserts a term with the allowance that is sold now. */
export async function insertTerm(
  trx: Trx,
  projectId: number,
  { planId, channels, bitrate, customChannels, customVideo }: Allowance,
  dates: { readonly created: Instant; readonly start: Instant; readonly end: Instant },
): Promise<number> {
  const { id } = await trx
    .insertInto('restream_terms')
    .values({
      project_id: projectId,
      plan_id: planId,
      channel_max: channels,
      bitrate_max: bitrate,
      support_custom_channel: customChannels ? 1 : 0,
      custom_video: customVideo,
      date_create: dates.created,
      date_start: dates.start,
      date_end: dates.end,
      date_cancel: null,
      date_rolled: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Inserts a paid period of a term, with the ledger transaction that paid it. */
export async function insertPeriod(trx: Trx, termId: number, transactionId: number, paid: PaidPeriod): Promise<void> {
  await trx
    .insertInto('restream_periods')
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

/** Extends a running term. */
export const extendTerm = (trx: Trx, id: number, end: Instant) =>
  trx.updateTable('restream_terms').set({ date_end: end }).where('id', '=', id).execute()

/** Ends a running term now; its end needs no further handling. */
export const cutTerm = (trx: Trx, id: number, now: Instant) =>
  trx.updateTable('restream_terms').set({ date_end: now, date_rolled: now }).where('id', '=', id).execute()

/** Cancels a queued term. */
export const cancelTerm = (trx: Trx, id: number, now: Instant) =>
  trx.updateTable('restream_terms').set({ date_cancel: now }).where('id', '=', id).execute()

/** Moves a queued term. It has one period, because it is bought once. */
export async function moveTerm(trx: Trx, { id, start, end }: BoughtTerm): Promise<void> {
  const dates = { date_start: start, date_end: end }
  await trx.updateTable('restream_terms').set(dates).where('id', '=', id).execute()
  await trx.updateTable('restream_periods').set(dates).where('term_id', '=', id).execute()
}

/** Returns ended terms whose end was not handled yet, oldest first. */
export const listDue = (db: Db, now: Instant, limit: number) =>
  db
    .selectFrom('restream_terms')
    .select(['id', 'project_id as projectId'])
    .where('date_end', '<=', now)
    .where('date_rolled', 'is', null)
    .where('date_cancel', 'is', null)
    .orderBy('date_end')
    .orderBy('id')
    .limit(limit)
    .execute()

/**
 * Marks the end of a term as handled.
 * @returns whether this call did it; of concurrent calls one does
 */
export async function markRolled(trx: Trx, id: number, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('restream_terms')
    .set({ date_rolled: now })
    .where('id', '=', id)
    .where('date_end', '<=', now)
    .where('date_rolled', 'is', null)
    .where('date_cancel', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns the newest paid period of a term, for project info. */
export const findLastPeriod = (db: Db | Trx, termId: number) =>
  db
    .selectFrom('restream_periods')
    .innerJoin('ledger_transactions', 'ledger_transactions.id', 'restream_periods.transaction_id')
    .select(['restream_periods.uuid', 'period', 'ledger_transactions.uuid as moneyFlowUuid', 'date_create as bought'])
    .where('term_id', '=', termId)
    .orderBy('restream_periods.id', 'desc')
    .executeTakeFirst()

const columnsOf = ({ bonus, payment, profit }: Balance) => ({
  bonus_minor: bonus,
  payment_minor: payment,
  profit_minor: profit,
})
