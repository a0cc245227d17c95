// Every payment provider that is configured.
import { RuleError } from '#server/core/errors.ts'
import type { ProviderServices } from './module.ts'
import type { PayProvider } from './provider.ts'
import { providers } from './providers.gen.ts'

const created = new WeakMap<ProviderServices['config'], readonly PayProvider[]>()

/** Returns the configured providers in the order in which pages offer them. Created once per configuration. */
export function payProviders(services: ProviderServices): readonly PayProvider[] {
  const known = created.get(services.config) ?? providersOf(services)
  created.set(services.config, known)
  return known
}

const providersOf = (services: ProviderServices): readonly PayProvider[] =>
  Object.values(providers)
    .toSorted((one, other) => one.index - other.index)
    .flatMap((provider) => provider.create(services) ?? [])

/** Returns a configured provider by name. */
export const findProvider = (services: ProviderServices, name: string): PayProvider | undefined =>
  payProviders(services).find((provider) => provider.name === name)

/** Returns the provider of a payment. @throws RuleError `PaymentsOff` when it is no longer configured */
export function providerOf(services: ProviderServices, { provider }: { readonly provider: string }): PayProvider {
  const found = findProvider(services, provider)
  if (!found) throw new RuleError('PaymentsOff_provider', { provider })
  return found
}

/** Returns whether a provider beside the manual invoice is configured: then there is no registration bonus. */
export const sellsByProvider = (services: ProviderServices): boolean =>
  payProviders(services).some(({ name }) => name !== 'invoice')
