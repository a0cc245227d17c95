// Account at PayPal: its credentials and hosts.
import type { Services } from '#server/core/context.ts'

/** REST app at PayPal, live or in its sandbox, with the id of its webhook. */
export type PaypalAccount = NonNullable<Services['config']['payments']['paypal']>

/** Host of the API, and the hosts that serve the certificates of webhook signatures. */
export const paypalHosts: Readonly<
  Record<PaypalAccount['mode'], { readonly api: string; readonly certificates: readonly string[] }>
> = {
  live: { api: 'api-m.paypal.com', certificates: ['api.paypal.com', 'api-m.paypal.com'] },
  sandbox: { api: 'api-m.sandbox.paypal.com', certificates: ['api.sandbox.paypal.com', 'api-m.sandbox.paypal.com'] },
}
