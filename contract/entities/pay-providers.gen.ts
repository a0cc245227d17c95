// Generated from contract/entities/pay-providers/*.ts by scripts/house/registries.ts; do not edit.
import { invoice } from './pay-providers/invoice.ts'
import { paypal } from './pay-providers/paypal.ts'
import { stripe } from './pay-providers/stripe.ts'
import { yookassa } from './pay-providers/yookassa.ts'

/** Facts of payment providers by name. */
export const payProviders = {
  invoice: invoice,
  paypal: paypal,
  stripe: stripe,
  yookassa: yookassa,
} as const
