// Declaration of a payment provider (provider.ts); its account is a setting (settings.ts).
import type { Services } from '#server/core/context.ts'
import type { Settings } from '#server/core/settings.ts'
import type { PayProvider } from './provider.ts'

/** Services that providers use. */
export type ProviderServices = Pick<Services, 'db' | 'clock' | 'config'>

/** A provider of this service. */
export interface PayModule {
  /** Position among the ways to pay, smallest first. */
  readonly index: number
  /** Creates the provider; null: not configured. */
  create(services: ProviderServices): PayProvider | null
}

/**
 * Declares a provider.
 * @param name that of its folder, of `payments.provider`, and of the setting that holds its account; null: not configured
 */
export const payModule = <N extends keyof Settings>(
  name: N,
  index: number,
  create: (services: ProviderServices, account: NonNullable<Settings[N]>) => PayProvider,
): PayModule => ({
  index,
  create(services) {
    const account = services.config[name]
    return account === null || account === undefined ? null : create(services, account)
  },
})
