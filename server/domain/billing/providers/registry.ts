// Every payment provider that is configured.
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { invoiceProvider } from './invoice.ts'
import type { PayProvider } from './provider.ts'
import { paypalProvider } from './paypal.ts'
import { stripeProvider } from './stripe.ts'
import { yookassaProvider } from './yookassa.ts'

/** Services that providers use. */
type ProviderServices = Pick<Services, 'db' | 'clock' | 'config'>

const created = new WeakMap<ProviderServices['config'], readonly PayProvider[]>()

/** Returns the configured providers in the order in which pages offer them. Created once per configuration. */
export function payProviders(services: ProviderServices): readonly PayProvider[] {
  const known = created.get(services.config) ?? providersOf(services)
  created.set(services.config, known)
  return known
}

function providersOf(services: ProviderServices): readonly PayProvider[] {
  const { yookassa, payments } = services.config
  return [
    yookassa === null ? [] : [yookassaProvider(services, yookassa)],
    payments.stripe === null ? [] : [stripeProvider(services, payments.stripe)],
    payments.paypal === null ? [] : [paypalProvider(services, payments.paypal)],
    payments.invoice === null ? [] : [invoiceProvider(services)],
  ].flat()
}

/** Returns a configured provider by name. */
export const findProvider = (services: ProviderServices, name: string): PayProvider | undefined =>
  payProviders(services).find((provider) => provider.name === name)

/** Returns the provider of a payment. @throws RuleError `PaymentsOff` when it is no longer configured */
export function providerOf(services: ProviderServices, { provider }: { readonly provider: string }): PayProvider {
  const found = findProvider(services, provider)
  if (!found) throw new RuleError('PaymentsOff', 'This way to pay is no longer offered', { provider })
  return found
}

/** Returns whether a provider beside the manual invoice is configured: then there is no registration bonus. */
export const sellsByProvider = (services: ProviderServices): boolean =>
  payProviders(services).some(({ name }) => name !== 'invoice')
