// SQL of the plans of all projects that were bought or given.
import { sql } from 'kysely'
import type { SubscriptionView, Sum } from '#contract/entities/operator.ts'
import { monthsIn } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import { countRows } from '#server/db/fragments.ts'
import type { ReadDb } from '#server/db/open.ts'
import type { Span } from './ledger-store.ts'

export interface SubscriptionFilter extends Span {
  readonly view: SubscriptionView
  readonly now: string
  readonly projectId?: number | undefined
}

const renews = sql<number>`case when exists (select 1 from plan_renewals
  where plan_renewals.project_id = term.project_id and plan_renewals.line = term.line) then 1 else 0 end`

function matching(db: ReadDb, { view, now, projectId, from, to }: SubscriptionFilter) {
  const begun = db
    .selectFrom('plan_terms as term')
    .where('term.date_cancel', 'is', null)
    .where('term.date_start', '<=', now)
    .$if(projectId !== undefined, (query) => query.where('term.project_id', '=', projectId ?? 0))
  const date = view === 'ended' ? 'term.date_end' : 'term.date_start'
  if (view === 'new' || view === 'ended')
    return begun
      .$if(view === 'ended', (query) => query.where('term.date_end', '<=', now))
      .$if(from !== undefined, (query) => query.where(date, '>=', from ?? ''))
      .$if(to !== undefined, (query) => query.where(date, '<', to ?? ''))
  return begun
    .where('term.date_end', '>', now)
    .$if(view === 'recurring', (query) => query.where(sql<boolean>`${renews} = 1`))
}

/** Joins the last period of each plan that has begun, and the currency that it was paid in. */
const withPeriod = (db: ReadDb, filter: SubscriptionFilter) =>
  matching(db, filter)
    .innerJoin('projects', 'projects.id', 'term.project_id')
    .leftJoin('plan_periods as part', (join) =>
      join.on(
        'part.id',
        '=',
        sql<number>`(select max(id) from plan_periods
          where plan_periods.term_id = term.id and plan_periods.date_start <= ${filter.now})`,
      ),
    )
    .select(
      sql<Currency>`coalesce((select min(currency) from ledger_entries
        where ledger_entries.transaction_id = part.transaction_id), projects.currency)`.as('currency'),
    )

const amount = sql<number>`coalesce(part.bonus_minor + part.payment_minor + part.profit_minor, 0)`

/** Returns a page of plans, newest first, and how many match. */
export async function listSubscriptions(
  db: ReadDb,
  filter: SubscriptionFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const rows = await withPeriod(db, filter)
    .select(['term.id', 'term.project_id', 'term.line', 'term.plan_id', 'term.date_start', 'term.date_end'])
    .select(['projects.name as project_name', 'part.period', renews.as('renews'), amount.as('amount')])
    .orderBy('term.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows, total: await countSubscriptions(db, filter) }
}

/** Counts the plans that match. */
export const countSubscriptions = (db: ReadDb, filter: SubscriptionFilter): Promise<number> =>
  countRows(matching(db, filter))

/** Returns the amounts of all plans that match, for a month, by currency. */
export async function sumMonthly(db: ReadDb, filter: SubscriptionFilter): Promise<Sum[]> {
  const rows = await db
    .selectFrom(
      withPeriod(db, filter)
        .select(['part.period', amount.as('amount')])
        .as('plan'),
    )
    .select(['plan.currency', 'plan.period'])
    .select(sql<number>`sum(plan.amount)`.as('amount'))
    .groupBy(['plan.currency', 'plan.period'])
    .orderBy('plan.currency')
    .execute()
  const sums = new Map<Currency, number>()
  for (const { currency, period, amount: paid } of rows)
    sums.set(currency, (sums.get(currency) ?? 0) + Number(paid) / (period === null ? 1 : monthsIn[period]))
  return [...sums].flatMap(([currency, sum]) => (sum === 0 ? [] : { currency, amount: Math.round(sum) }))
}
