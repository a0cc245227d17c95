// Publishes that a payment changed, after the transaction that changed it.
import { stalePlans } from '#contract/entities/stale.ts'
import type { Services } from '#server/core/context.ts'
import { findPayment } from './payments-store.ts'

/** Operations whose results depend on a payment; open pages fetch them again. */
const changed = ['billing.payments.create', 'tariffs.restream.buy'] as const

/** Publishes the state of a payment to the open pages of its project. Never throws. */
export async function publishPayment(
  { db, realtime, log }: Pick<Services, 'db' | 'realtime' | 'log'>,
  paymentId: number,
): Promise<void> {
  try {
    const payment = await findPayment(db, paymentId)
    if (!payment) return
    const { id: payment_id, provider, status, project_id: id } = payment
    realtime.publish({ type: 'project', id }, { event: 'payment-update', payload: { payment_id, provider, status } })
    realtime.publish({ type: 'project', id }, { event: 'project-update', payload: {} })
    for (const operation of changed)
      realtime.publish({ type: 'project_live', id }, { event: 'changed', payload: { operation, stale: stalePlans } })
  } catch (error) {
    log.error({ err: error, paymentId }, 'A payment was not published')
  }
}
