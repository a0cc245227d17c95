// Reports of a provider for tests of the settlement.
import type { ProviderPayment } from '#server/domain/billing/providers/provider.ts'

/** A report in US dollars without refunds and disputes. */
export const reportOf = (
  more: Pick<ProviderPayment, 'status' | 'amountMinor'> & Partial<ProviderPayment>,
): ProviderPayment => ({
  payId: 'p',
  payRef: null,
  uuid: 'u',
  reason: null,
  currency: 'usd',
  feeMinor: null,
  method: null,
  actionUrl: null,
  refunds: [],
  disputes: [],
  ...more,
})
