// Projects of customers: balances and gifts, changed by operators.
import type { LineName, Period } from '#contract/entities/plan.ts'
import { iso } from '#server/core/clock.ts'
import type { Reading, Services, User } from '#server/core/context.ts'
import { NotFoundError, RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { logOperator } from '#server/domain/installation/operator-log.ts'
import { type BalanceType, emptyBalance } from '#server/domain/money/balance.ts'
import { arrivalOf } from '#server/domain/billing/payments/notices.ts'
import { book, lockWallet } from '#server/domain/money/ledger.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { lineOf } from '#server/domain/tariffs/lines.ts'
import { findByKey } from '#server/domain/money/store.ts'
import { readState } from '#server/domain/tariffs/subscriptions.ts'
import { buyIn } from '#server/domain/tariffs/subscriptions-change.ts'
import { countCustomers, type CustomerFilter, type CustomerRow, findProjectOf, listCustomers } from './store.ts'

type Part = Pick<Services, 'db' | 'clock'>

/** Finds projects by name, owner or number. */
export async function findCustomers(
  { db, clock }: Reading<Part>,
  filter: CustomerFilter,
  page: { readonly limit: number; readonly offset: number },
) {
  const rows = await listCustomers(db, filter, page)
  const results = await Promise.all(rows.map((row) => customerOf({ db, clock }, row)))
  return { total: await countCustomers(db, filter), results }
}

/** Returns a project with its running restream plan. */
export async function customerOf({ db, clock }: Reading<Part>, row: CustomerRow) {
  const { current } = (await readState(db, clock, row.id, 'restream')).slots
  const nameOf = (...parts: readonly (string | null)[]): string => parts.filter(Boolean).join(' ')
  return {
    project_id: row.id,
    name: nameOf(row.name, row.fename),
    type: row.type,
    owner: nameOf(row.first_name, row.last_name),
    email: row.email,
    currency: row.currency,
    bonus: row.bonus_minor ?? 0,
    payment: row.payment_minor ?? 0,
    profit: row.profit_minor ?? 0,
    debt: row.debt_minor ?? 0,
    plan: (await lineOf('restream').plan(db, current.planId)).title,
    plan_end: current.end,
    date_create: row.date_create,
  }
}

/** A change of a balance, minor units; negative takes. */
export interface BalanceChange {
  readonly projectId: number
  readonly balance: BalanceType
  readonly amount: number
  readonly reason: string
  readonly key?: string | undefined
}

/**
 * Adds money to a balance, or takes it.
 * @throws RuleError `AmountIsZero`, `IdempotencyKeyReused`, and `BalanceTooLow` with `{balance}` when the balance holds less
 */
export const changeBalance = ({ db, clock }: Part, user: Pick<User, 'id'>, change: BalanceChange): Promise<void> =>
  projectTransaction(db, change.projectId, async (trx) => {
    const { projectId, balance: type, amount, reason, key } = change
    if (amount === 0) throw new RuleError('AmountIsZero')
    await mustExist(trx, projectId)
    const wallet = await lockWallet(trx, projectId)
    const ledgerKey = key === undefined ? undefined : `operator:${key}`
    const request = JSON.stringify([type, amount])
    const earlier = ledgerKey === undefined ? null : await findByKey(trx, projectId, ledgerKey)
    if (earlier && earlier.request !== request) throw new RuleError('IdempotencyKeyReused')
    if (earlier) return
    const held = wallet.held[type]
    if (held + amount < 0) throw new RuleError('BalanceTooLow', { balance: held })
    const booked = await book(trx, iso(clock.now()), wallet, {
      type: amount > 0 ? 'accrued_admin' : 'reduced_admin',
      currency: wallet.currency,
      change: { ...emptyBalance, [type]: amount },
      key: ledgerKey,
      request,
      links: { user_id: user.id },
    })
    const states = { before: { [type]: held }, after: { [type]: held + amount } }
    await logOperator(trx, clock, { userId: user.id, action: 'balance', projectId, ...states, reason })
    if (amount <= 0) return
    const params = arrivalOf({ amountMinor: amount, before: wallet, after: booked.wallet }, wallet.currency)
    await notify({ clock }, trx, { kind: 'balance_credited', projectId, ref: `operator ${booked.id}`, params })
  })

/** A plan to give, with its smallest setting. */
export interface Gift {
  readonly projectId: number
  readonly line: LineName
  readonly planId: number
  readonly period: Period
  readonly reason: string
  readonly key?: string | undefined
}

/**
 * Gives a plan: it begins now or prolongs the running one.
 * @throws RuleError `GiftReplacesPlan` when another bought plan runs, and the errors of a purchase
 */
export const giftPlan = ({ db, clock }: Part, user: Pick<User, 'id'>, gift: Gift): Promise<void> =>
  projectTransaction(db, gift.projectId, async (trx) => {
    const { projectId, line, planId, period, reason, key } = gift
    await mustExist(trx, projectId)
    const links = { user_id: user.id }
    const done = await buyIn(trx, clock, { projectId, line, planId, period, key, gift: 'accrued_admin', links })
    if (done.outcome === 'repeated') return
    if (done.outcome !== 'bought') {
      throw new RuleError('GiftReplacesPlan')
    }
    const { plan, decision } = done.quote
    const after = { line, plan: plan.title, date_end: decision.end }
    await logOperator(trx, clock, { userId: user.id, action: 'gift', projectId, after, reason })
    await notify({ clock }, trx, {
      kind: 'plan_given',
      projectId,
      ref: `${line} ${decision.end}`,
      params: { line, plan: plan.title, date_end: decision.end },
    })
  })

async function mustExist(trx: Trx, projectId: number): Promise<void> {
  if (!(await findProjectOf(trx, projectId))) throw new NotFoundError('ProjectNotFound')
}
