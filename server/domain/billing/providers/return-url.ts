// Page of the dashboard that a provider returns the customer to.
import type { Services } from '#server/core/context.ts'
import type { PaymentRow } from './provider.ts'

/** Returns the address of a payment's page: on PUBLIC_URL, never on the host of a request. */
export const returnUrlOf = (
  { config }: Pick<Services, 'config'>,
  { project_id, id }: Pick<PaymentRow, 'project_id' | 'id'>,
): string => `${config.publicUrl ?? ''}/p/${project_id}/billing/payments/${id}`

/** Returns the address for a customer that leaves the page of the provider without paying. */
export const leftUrlOf = (returnUrl: string): string => `${returnUrl}?left=1`
