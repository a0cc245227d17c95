// Declarations of a payment provider: its environment variables (settings.ts), and how it is created (provider.ts).
import type { Services } from '#server/core/context.ts'
import type { ReadVariables, Variable } from '#server/core/variables.ts'
import type { PayProvider } from './provider.ts'

/** Services that providers use. */
export type ProviderServices = Pick<Services, 'db' | 'clock' | 'config'>

type Variables = Readonly<Record<string, Variable>>
type Values<V extends Variables> = ReadVariables<V> & { readonly PUBLIC_URL: string }

/** Environment variables of a provider. `A`: its account. */
export interface ProviderSettings<A> {
  readonly variables: Variables
  /** Returns the account; null: not configured. @throws ConfigError for an account that is not complete */
  accountOf(values: Readonly<Record<string, unknown>> & { readonly PUBLIC_URL: string }): A | null
}

/** Declares the environment variables of a provider. @param accountOf see `ProviderSettings` */
export const settingsOfProvider = <V extends Variables, A>(
  variables: V,
  accountOf: (values: Values<V>) => A | null,
): ProviderSettings<A> => ({ variables, accountOf: (values) => accountOf(values as Values<V>) })

/** A provider of this service. */
export interface PayModule {
  /** Position among the ways to pay, smallest first. */
  readonly index: number
  /** Creates the provider; null: not configured. */
  create(services: ProviderServices): PayProvider | null
}

/** Declares a provider. @param name that of its folder, and of `payments.provider` */
export const payModule = <A>(
  name: string,
  index: number,
  create: (services: ProviderServices, account: A) => PayProvider,
): PayModule => ({
  index,
  create(services) {
    // Read by `accountOf` of the settings beside the provider.
    const account = services.config.payAccounts[name] as A | null | undefined
    return account === null || account === undefined ? null : create(services, account)
  },
})
