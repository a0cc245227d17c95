// Lookup of payment providers by name.
import type { PayProviderFacts } from './pay-providers/facts.ts'
import { payProviders } from './pay-providers.gen.ts'

/** Returns the facts of a provider; undefined for a name without any. */
export const payProviderFacts = (name: string): PayProviderFacts | undefined =>
  Object.hasOwn(payProviders, name) ? (payProviders as Readonly<Record<string, PayProviderFacts>>)[name] : undefined
