// Generated from server/domain/billing/providers/*/settings.ts by scripts/house/registries.ts; do not edit.
import { invoiceSettings as invoice } from './invoice/settings.ts'
import { paypalSettings as paypal } from './paypal/settings.ts'
import { stripeSettings as stripe } from './stripe/settings.ts'
import { yookassaSettings as yookassa } from './yookassa/settings.ts'

/** Environment variables of payment providers by the name of the provider. */
export const paySettings = {
  invoice: invoice,
  paypal: paypal,
  stripe: stripe,
  yookassa: yookassa,
} as const
