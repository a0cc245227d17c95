// Payouts that operators send or refuse, the ways to pay out, and the referral percent.
import type { Services, User } from '#server/core/context.ts'
import { NotFoundError, RuleError } from '#server/core/errors.ts'
import { transaction } from '#server/db/transaction.ts'
import { endPayout } from '#server/domain/billing/payouts/payouts.ts'
import { findPayout, findWay, insertWay, type PayoutMethod, updateWay } from '#server/domain/billing/payouts/store.ts'
import { amountText } from '#server/domain/money/decimal.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { getPercent, updatePercent } from '#server/domain/billing/referrals/store.ts'
import { logOperator } from '#server/domain/installation/operator-log.ts'

/**
 * Ends a payout that waits: `sent` with the reference of the transfer, or `refused`, which returns the amount.
 * @throws NotFoundError `PayoutNotFound`; RuleError `PayoutDone`
 */
export async function resolvePayout(
  services: Services,
  user: User,
  id: number,
  outcome: { readonly status: 'sent'; readonly reference: string } | { readonly status: 'refused' },
  reason: string,
): Promise<void> {
  const row = await findPayout(services.db, id)
  if (!row) throw new NotFoundError('PayoutNotFound')
  const { status } = outcome
  const facts = outcome.status === 'sent' ? { reference: outcome.reference } : { reason }
  const { project_id: projectId, amount_minor, currency } = row
  const amount = amountText(amount_minor, currency)
  await endPayout(services, row, status, { userId: user.id, ...facts }, async (trx) => {
    await logOperator(trx, services.clock, {
      userId: user.id,
      action: `payout_${status}`,
      projectId,
      after: { payout_id: id, amount: amount_minor, currency },
      reason,
    })
    if (outcome.status === 'sent')
      await notify(services, trx, {
        kind: 'payout_sent',
        projectId,
        ref: id,
        params: { amount, reference: outcome.reference },
      })
    else await notify(services, trx, { kind: 'payout_refused', projectId, ref: id, params: { amount, reason } })
  })
}

/**
 * Adds a way to pay out, or changes one.
 * @param id undefined: a new way
 * @throws NotFoundError `PayoutNotFound`; RuleError `PayoutLimits` when the largest amount is below the smallest
 */
export async function setWay(
  services: Services,
  user: User,
  id: number | undefined,
  values: Omit<PayoutMethod, 'id'>,
  reason: string,
): Promise<void> {
  if (values.max_minor < values.min_minor) {
    throw new RuleError('PayoutLimits')
  }
  await transaction(services.db, async (trx) => {
    const before = id === undefined ? undefined : await findWay(trx, id)
    if (id !== undefined && !before) throw new NotFoundError('PayoutWayNotFound')
    if (id === undefined) await insertWay(trx, values)
    else await updateWay(trx, id, values)
    await logOperator(trx, services.clock, { userId: user.id, action: 'payout_way', before, after: values, reason })
  })
}

/** Sets the share of payments that inviters earn. @param percent hundredths of a percent */
export const setReferral = (services: Services, user: User, percent: number, reason: string): Promise<void> =>
  transaction(services.db, async (trx) => {
    const before = { percent: await getPercent(trx) }
    await updatePercent(trx, percent)
    const change = { userId: user.id, action: 'referral_percent', before, after: { percent }, reason }
    await logOperator(trx, services.clock, change)
  })
