// Charges of renewals: payments with the default saved method, made once per key.
import type { Services } from '#server/core/context.ts'
import { AppError } from '#server/core/errors.ts'
import { ProviderUnavailableError } from '#server/core/provider-http.ts'
import { chargePayment } from '#server/domain/billing/payments/begin.ts'
import { checkPayment } from '#server/domain/billing/payments/checks.ts'
import { listMethods, type MethodRow, findPayment, findPaymentByKey } from '#server/domain/billing/payments/store.ts'
import { createPayment, offeredSystems } from '#server/domain/billing/payments/payments.ts'
import type { PaymentRow, PayServices } from '#server/domain/billing/providers/provider.ts'
import type { Charge, Charger } from './renewals.ts'

type ChargeServices = PayServices & Pick<Services, 'limits'>

/**
 * Creates the charger. An amount below the minimum of the pay system is charged at the minimum; the rest stays in the
 * balance. A charge that the customer has to confirm waits for the confirmation.
 * @throws ProviderUnavailableError when the outcome is unknown; the same key repeats the charge
 */
export const renewalCharger =
  (services: ChargeServices): Charger =>
  async ({ projectId, line, amountMinor, key }) => {
    const earlier = await findPaymentByKey(services.db, projectId, key)
    if (earlier) return await presentState(services, earlier)
    const [method] = await listMethods(services.db, projectId)
    if (!method) return { outcome: 'none' }
    try {
      const amount = chargedFor(services, method, amountMinor)
      const request = { projectId, userId: null, type: line, amount, methodId: method.id, key }
      return await chargeNow(services, await createPayment(services, request))
    } catch (error) {
      if (!(error instanceof AppError) || error instanceof ProviderUnavailableError) throw error
      return { outcome: 'declined', paymentId: null, reason: error.name, final: false }
    }
  }

/** Returns the amount that is charged for a missing one: at least the minimum of the pay system, minor units. */
export function chargedFor(
  services: Pick<Services, 'db' | 'clock' | 'config'>,
  { provider: name }: Pick<MethodRow, 'provider'>,
  missingMinor: number,
): number {
  const offered = offeredSystems(services).find(
    ({ provider, system: { recurrent } }) => recurrent && provider.name === name,
  )
  return Math.max(missingMinor, offered?.system.minAmount ?? 0)
}

async function presentState(services: ChargeServices, payment: PaymentRow): Promise<Charge> {
  if (payment.status === 'pending' && payment.pay_id === null) return await chargeNow(services, payment)
  if (payment.status === 'pending') await checkPayment(services, payment.id)
  return stateOf((await findPayment(services.db, payment.id)) ?? payment)
}

async function chargeNow(services: ChargeServices, payment: PaymentRow): Promise<Charge> {
  const charged = await chargePayment(services, payment)
  if (charged.outcome === 'declined' && charged.actionUrl === null)
    return { outcome: 'declined', paymentId: payment.id, reason: charged.reason, final: charged.final }
  await checkPayment(services, payment.id)
  return stateOf((await findPayment(services.db, payment.id)) ?? payment)
}

function stateOf({ id: paymentId, status, reason }: PaymentRow): Charge {
  if (status === 'success') return { outcome: 'done', paymentId }
  if (status === 'pending') return { outcome: 'wait', paymentId }
  return { outcome: 'declined', paymentId, reason: reason ?? status, final: false }
}
