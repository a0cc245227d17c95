// Generated from server/domain/billing/providers/*/provider.ts by scripts/house/registries.ts; do not edit.
import { invoiceModule as invoice } from './invoice/provider.ts'
import { paypalModule as paypal } from './paypal/provider.ts'
import { stripeModule as stripe } from './stripe/provider.ts'
import { yookassaModule as yookassa } from './yookassa/provider.ts'

/** Payment providers by name. */
export const providers = {
  invoice: invoice,
  paypal: paypal,
  stripe: stripe,
  yookassa: yookassa,
} as const
