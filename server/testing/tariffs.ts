// Test helpers for tariffs below HTTP: an own database, a project with a balance, and the invariants of a project.
import { randomUUID } from 'node:crypto'
import { type LineName, lineNames } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import { iso, type MovableClock, movableClock } from '#server/core/clock.ts'
import { migrate } from '#server/db/migrate.ts'
import type { Db } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { updateBillingAnswer } from '#server/domain/installation/store.ts'
import { getBalance, book, lockWallet } from '#server/domain/money/ledger.ts'
import { balanceTypes, type Balance } from '#server/domain/money/balance.ts'
import { endPlan, type PlanEnd, type PlanEndOptions } from '#server/domain/tariffs/plan-ends.ts'
import { listEndedTerms } from '#server/domain/tariffs/subscriptions-store.ts'
import { readState } from '#server/domain/tariffs/subscriptions.ts'
import type { Slots, Sold } from '#server/domain/tariffs/subscriptions-slots.ts'
import { emptyDatabase } from './databases.ts'
import { setRegistrationBonus } from './test-app.ts'

/** A migrated empty database, and a clock. */
export interface TariffWorld {
  readonly db: Db
  readonly clock: MovableClock
  /** Opens another connection, as a second replica of the service would. */
  readonly replica: () => Promise<Db>
  readonly close: () => Promise<void>
}

/** Opens a separate database: SQLite in memory, or a separate schema where `DATABASE_URL` is set. */
export async function tariffWorld(start: string): Promise<TariffWorld> {
  const { database, connect, drop } = await emptyDatabase()
  await migrate(database)
  await updateBillingAnswer(database.db, 'plans')
  await setRegistrationBonus(database.db)
  const open = [database]
  return {
    db: database.db,
    clock: movableClock(new Date(start)),
    replica: async () => {
      const other = await connect()
      open.push(other)
      return other.db
    },
    close: async () => {
      await drop()
      for (const one of open) await one.close()
    },
  }
}

/** Creates a project with a balance, minor units. */
export async function fundedProject(
  { db, clock }: Pick<TariffWorld, 'db' | 'clock'>,
  currency: Currency,
  held: Balance,
): Promise<number> {
  const { id } = await db
    .insertInto('projects')
    .values({
      external_id: randomUUID(),
      type: 0,
      name: 'Test',
      fename: '',
      photo: null,
      currency,
      country_id: 1,
      date_create: clock.now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await topUp({ db, clock }, id, held)
  return id
}

/** Tops up the balance of a project, minor units. */
export const topUp = ({ db, clock }: Pick<TariffWorld, 'db' | 'clock'>, projectId: number, change: Balance) =>
  transaction(db, async (trx) => {
    const wallet = await lockWallet(trx, projectId)
    await book(trx, clock.now().toISOString(), wallet, { type: 'accrued_admin', currency: wallet.currency, change })
  })

/**
 * Checks the invariants of a project, which hold at any moment.
 * @returns descriptions of the broken rules
 */
export async function brokenRules(
  { db, clock }: Pick<TariffWorld, 'db' | 'clock'>,
  projectId: number,
): Promise<string[]> {
  const slots = await Promise.all(lineNames.map((line) => brokenSlots(db, clock, projectId, line)))
  return [...(await brokenMoney(db, projectId)), ...slots.flat()]
}

async function brokenMoney(db: Db, projectId: number): Promise<string[]> {
  const entries = await db.selectFrom('ledger_entries').selectAll().where('project_id', '=', projectId).execute()
  const sumBy = <K extends 'account' | 'transaction_id'>(key: K) =>
    entries.reduce(
      (sums, entry) => sums.set(entry[key], (sums.get(entry[key]) ?? 0) + entry.amount_minor),
      new Map<string | number, number>(),
    )
  const accounts = sumBy('account')
  const held = await getBalance(db, projectId)
  const wallet = await db
    .selectFrom('wallets')
    .select('debt_minor')
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  const debt = wallet?.debt_minor ?? 0
  return [
    ...(debt === -(accounts.get('receivable') ?? 0) && debt >= 0 ? [] : ['the debt is not its entries']),
    ...(debt === 0 || held.payment + held.profit === 0 ? [] : ['a debt is not paid from the balance']),
    ...[...sumBy('transaction_id')].filter(([, sum]) => sum !== 0).map(([id]) => `transaction ${id} makes money`),
    ...balanceTypes.filter((type) => held[type] < 0).map((type) => `${type} is negative`),
    ...balanceTypes
      .filter((type) => held[type] !== (accounts.get(type) ?? 0))
      .map((type) => `${type} is not its entries`),
  ]
}

async function brokenSlots(db: Db, clock: MovableClock, projectId: number, line: LineName): Promise<string[]> {
  const { slots, now } = await readState(db, clock, projectId, line)
  const { before, current, next }: Slots<Sold> = slots
  const terms = await db
    .selectFrom('plan_terms')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('line', '=', line)
    .where('date_cancel', 'is', null)
    .orderBy('date_start')
    .orderBy('id')
    .execute()
  const facts: Record<string, boolean> = {
    'the current slot has not begun': current.start !== null && current.start > now,
    'the current slot is over': current.end !== null && current.end <= now,
    'there is a gap or an overlap before the current slot': before !== null && before.end !== current.start,
    'there is a gap or an overlap before the next slot': next !== null && next.start !== current.end,
    'something is queued behind the free plan': next !== null && current.id === null,
    'more than one plan is queued': terms.filter((term) => term.date_start > now).length > 1,
    'two terms overlap': terms.some((term, at) => at > 0 && term.date_start < (terms[at - 1]?.date_end ?? '')),
    'a term ends before it starts': terms.some((term) => term.date_end < term.date_start),
  }
  return Object.keys(facts)
    .filter((fact) => facts[fact])
    .map((fact) => `${line}: ${fact}`)
}

/** Handles the ends of all terms that are due, as their jobs do. @param options.onEnd receives each end */
export async function endPlans({
  onEnd,
  ...options
}: PlanEndOptions & { readonly onEnd: (end: PlanEnd) => void }): Promise<void> {
  for (const id of await listEndedTerms(options.db, iso(options.clock.now()))) {
    const end = await endPlan(options, id)
    if (end !== 'done' && 'termId' in end) onEnd(end)
  }
}
