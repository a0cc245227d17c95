// Beginning of a payment at its provider: the page where the customer pays, or the charge of a saved method.
import { iso } from '#server/core/clock.ts'
import { RuleError } from '#server/core/errors.ts'
import { ProviderRefusedError } from '#server/core/provider-http.ts'
import type { Trx } from '#server/db/open.ts'
import { projectTransaction, transaction } from '#server/db/transaction.ts'
import { refuseWhileOff } from '#server/domain/installation/installation.ts'
import { closeCase } from '#server/domain/notifications/incidents.ts'
import { notifyOfMoney } from '#server/domain/notifications/operators.ts'
import { lockWallet } from '#server/domain/money/ledger.ts'
import { getMethod, sealPay, unsealPay } from './methods.ts'
import { findCustomer, insertCustomer, type MethodRow, findEmail, lockPayment, updatePayment } from './store.ts'
import type { Charged, PaymentRow, PayServices } from '#server/domain/billing/providers/provider.ts'
import { publishPayment } from './present.ts'
import { providerOf } from '#server/domain/billing/providers/registry.ts'
import { returnUrlOf } from '#server/domain/billing/providers/return-url.ts'
import { checkDelayMs, scheduleCheck, unscheduleCheck } from './schedule.ts'

/**
 * Begins a payment at its provider.
 * @returns the address where the customer pays; the same one for every call
 * @throws RuleError `PaymentEnded`, `PaymentsOff`, `PaymentUnreadable`; ProviderRefusedError, after which the payment has failed; ProviderUnavailableError
 */
export async function beginPayment(services: PayServices, payment: PaymentRow): Promise<string> {
  const { db } = services
  refuseEnded(payment)
  await refuseWhileOff(db)
  if (payment.redirect_sealed !== null) return unsealPay(services, payment.redirect_sealed)
  const provider = providerOf(services, payment)
  await noteBegin(services, payment)
  const { project_id } = payment
  const begun = await provider
    .begin(payment, {
      returnUrl: returnUrlOf(services, payment),
      customer: await findCustomer(db, project_id, provider.name),
      email: payment.user_id === null ? null : await findEmail(db, payment.user_id),
      save: payment.save === 1,
    })
    .catch(failing(services, payment))
  if (begun.customer !== null)
    await insertCustomer(db, { project_id, provider: provider.name, customer: begun.customer })
  const redirect_sealed = sealPay(services, begun.redirectUrl)
  await transaction(db, async (trx) => {
    await updatePayment(trx, payment.id, { pay_id: begun.payId, redirect_sealed })
    if (provider.name === 'invoice') await notifyOfTransfer(services, trx, payment)
  })
  return begun.redirectUrl
}

const notifyOfTransfer = (services: PayServices, trx: Trx, payment: PaymentRow): Promise<void> => {
  const { id: ref, project_id: projectId, amount_minor: amount, currency } = payment
  return notifyOfMoney(services, trx, { kind: 'operator_transfer', ref, projectId, amount, currency })
}

/**
 * Charges the saved method of a payment. Safe to repeat: the provider has one charge under the key of the payment.
 * @throws ProviderUnavailableError when the outcome is unknown; the schedule repeats the charge
 */
export async function chargePayment(services: PayServices, payment: PaymentRow): Promise<Charged> {
  refuseEnded(payment)
  const provider = providerOf(services, payment)
  const method = await getMethod(services, payment.project_id, payment.method_id ?? 0)
  const token = await tokenOf(services, payment, method)
  await noteBegin(services, payment)
  const charged = await provider.charge(payment, { token }).catch(failing(services, payment))
  const { payId } = charged
  if (payId !== null) await updatePayment(services.db, payment.id, { pay_id: payId })
  if (charged.outcome !== 'declined') return charged
  if (charged.actionUrl === null) await endPayment(services, payment, 'error', charged.reason)
  else {
    const redirect_sealed = sealPay(services, charged.actionUrl)
    await updatePayment(services.db, payment.id, { redirect_sealed, reason: charged.reason })
  }
  return charged
}

/** Decrypts the token of a method. Without it a payment that has not begun ends; the schedule ends the others. */
async function tokenOf(services: PayServices, payment: PaymentRow, { token_sealed }: MethodRow): Promise<string> {
  try {
    return unsealPay(services, token_sealed)
  } catch (error) {
    if (payment.date_begin === null) await endPayment(services, payment, 'error', 'refused')
    throw error
  }
}

/** @throws RuleError `PaymentEnded` */
export function refuseEnded({ status }: Pick<PaymentRow, 'status'>): void {
  if (status !== 'pending') throw new RuleError('PaymentEnded', { status })
}

/** Ends a pending payment without money. */
export async function endPayment(
  services: PayServices,
  { id, project_id: projectId }: PaymentRow,
  status: 'error' | 'cancel',
  reason: string | null,
): Promise<void> {
  const { db, clock } = services
  await projectTransaction(db, projectId, async (trx) => {
    await lockWallet(trx, projectId)
    const { status: present } = await lockPayment(trx, id)
    if (present !== 'pending') return
    await updatePayment(trx, id, { status, reason, date_end: iso(clock.now()) })
    await unscheduleCheck(trx, id)
    await closeCase(services, trx, { kind: 'operator_transfer', ref: id })
  })
  await publishPayment(services, id)
}

/** Returns a handler of failed calls that begin a payment: a refusal ends the payment. */
const failing = (services: PayServices, payment: PaymentRow) => async (error: unknown) => {
  if (error instanceof ProviderRefusedError) await endPayment(services, payment, 'error', 'refused')
  throw error
}

/** Notes the first call to the provider before it is made, so that a payment whose answer is lost is found again. */
async function noteBegin({ db, clock }: PayServices, payment: PaymentRow): Promise<void> {
  if (payment.date_begin !== null) return
  await transaction(db, async (trx) => {
    await updatePayment(trx, payment.id, { date_begin: iso(clock.now()) })
    await scheduleCheck(trx, payment.id, checkDelayMs(0))
  })
}
