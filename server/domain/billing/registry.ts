// Every payment provider that is configured.
import type { Services } from '#server/core/context.ts'
import { invoiceProvider } from './invoice.ts'
import type { PayProvider } from './provider.ts'
import { yookassaProvider } from './yookassa.ts'

/** Services that providers use. */
export type PayServices = Pick<Services, 'db' | 'clock' | 'config'>

const created = new WeakMap<PayServices['config'], readonly PayProvider[]>()

/** Returns the configured providers in the order in which pages offer them. Created once per configuration. */
export function payProviders(services: PayServices): readonly PayProvider[] {
  const known = created.get(services.config) ?? [
    ...(services.config.yookassa ? [yookassaProvider(services, services.config.yookassa)] : []),
    invoiceProvider(services),
  ]
  created.set(services.config, known)
  return known
}

/** Returns a configured provider by name. */
export const findProvider = (services: PayServices, name: string): PayProvider | undefined =>
  payProviders(services).find((provider) => provider.name === name)

/** Returns whether a provider beside the manual invoice is configured: then there is no registration bonus. */
export const sellsByProvider = (services: PayServices): boolean =>
  payProviders(services).some(({ name }) => name !== 'invoice')
