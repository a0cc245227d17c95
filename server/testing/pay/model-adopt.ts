// Payments and purchases that the service makes by itself, which the model learns from the double and from stored quotes:
// charges of renewals, plans of settled payments, and renewals from the balance.
import type { Db } from '#server/db/open.ts'
import type { Model } from './model-state.ts'
import type { Begun, StripeWorld } from './stripe-world.ts'
import { listBoughtByPayment, listCharges, listRenewed } from './model-sales.ts'

/** The service of a run, as far as it is adopted. */
interface Adopted {
  readonly db: Db
  readonly projectId: number
  readonly stripe: StripeWorld
  /** Payments in the order of the model. */
  readonly begun: Begun[]
  /** Sources of sales that the model has counted. */
  readonly counted: Set<string>
}

/** Adds what the service did since the last check to the model. */
export async function adopt(real: Adopted, model: Model): Promise<void> {
  const { db, projectId, begun, counted, stripe } = real
  const { sessions, intents } = stripe.double.state
  const known = new Set(begun.map(({ payment_id }) => payment_id))
  for (const { id, uuid } of await listCharges(db, projectId)) {
    const intent = [...intents.values()].find(({ metadata }) => metadata['payment'] === uuid)
    const [page] = sessions.values()
    if (known.has(id) || !intent || !page) continue
    // A saved card has no page: a closed session stands for it, so that refunds and disputes find the intent.
    const session = {
      ...page,
      id: intent.id,
      status: 'complete' as const,
      payment_intent: intent.id,
    }
    begun.push({ payment_id: id, session })
    const levels = { refunded: 0, returned: 0, withdrawn: 0, reinstated: 0 }
    model.payments.push({ amount: intent.amount, paid: intent.status === 'succeeded', ...levels })
  }
  for (const { source, amount, currency } of [
    ...(await listBoughtByPayment(db, projectId)),
    ...(await listRenewed(db, projectId)),
  ]) {
    if (counted.has(source)) continue
    counted.add(source)
    model.sales[currency] += amount
  }
}
