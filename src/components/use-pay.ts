// Payments from any page: the ways to pay, and the step to the page where a payment is paid.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { methods } from '#contract/areas/billing/methods.ts'
import { paySystems, type PaySystem } from '#contract/areas/billing/pay-systems.ts'
import type { Currency } from '#contract/entities/project.ts'
import { q, useWrite } from '#src/api/query.ts'
import { paths } from '#src/lib/paths.ts'
import { paymentOptions, type PaymentOption } from './pay-ways.ts'

/** Query of the ways to pay in a currency. */
export const usePaySystems = (currency: Currency | null) =>
  useQuery({
    ...q(paySystems.list, {}),
    staleTime: 300_000,
    select: ({ results }): readonly PaySystem[] => results.filter((system) => system.currency === currency),
  })

/**
 * Ways to pay of a project for an owner; undefined while its saved methods load.
 * @param systems ways to pay in the currency of the project; without one, nothing is requested
 */
export function usePaymentOptions(
  projectId: number,
  systems: readonly PaySystem[],
): readonly PaymentOption[] | undefined {
  const isOffered = systems.length > 0
  const saved = useQuery({ ...q(methods.list, { project_id: projectId }), enabled: isOffered, staleTime: 60_000 })
  return isOffered && saved.isPending ? undefined : paymentOptions(systems, saved.data?.results ?? [])
}

/**
 * Opens the page where a payment is paid: the provider's, or the payment's own page for an invoice. When the provider
 * does not respond, the page of the payment opens, from where the customer continues later.
 */
export function useOpenPayment(projectId: number) {
  const navigate = useNavigate()
  const { mutateAsync, isPending, error } = useWrite(paySystems.create)
  const open = async (paymentId: number): Promise<void> => {
    const page = paths.payment(projectId, paymentId)
    const address = await mutateAsync({ payment_id: paymentId }).then(
      ({ redirect_url }) => redirect_url,
      () => page,
    )
    const url = new URL(address, location.href)
    if (url.origin === location.origin) await navigate(url.pathname)
    else location.assign(url)
  }
  return { open, isPending, error }
}
