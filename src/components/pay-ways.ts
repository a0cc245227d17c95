// Ways to pay that a project can choose from: its saved methods, then the pay systems; pure.
import type { Method } from '#contract/areas/billing/methods.ts'
import type { PaySystem } from '#contract/areas/billing/pay-systems.ts'

/** A way to pay. */
export interface PaymentOption {
  /** Unique among the ways: the id of the pay system, or the negative id of the method. */
  readonly value: number
  readonly system: PaySystem
  /** Saved method that is charged without another page; null: the customer pays at the provider. */
  readonly method: Method | null
}

/** Returns the ways to pay, the default method first. Methods of providers that are not offered are left out. */
export function paymentOptions(systems: readonly PaySystem[], methods: readonly Method[]): readonly PaymentOption[] {
  const saved = methods
    .toSorted((a, b) => Number(b.is_default) - Number(a.is_default))
    .flatMap((method) => {
      const system = systems.find(({ pay_name, recurrent }) => pay_name === method.pay_name && recurrent === 1)
      return system ? [{ value: -method.method_id, system, method }] : []
    })
  return [...saved, ...systems.map((system) => ({ value: system.pay_system_id, system, method: null }))]
}

/** Returns the parameters of a payment that name the way. @param save save the method that the customer pays with */
export const payFields = ({ system, method }: PaymentOption, save: boolean) => ({
  pay_system_id: system.pay_system_id,
  ...(method
    ? { method_id: method.method_id }
    : { save: save && system.recurrent === 1 ? (1 as const) : (0 as const) }),
})
