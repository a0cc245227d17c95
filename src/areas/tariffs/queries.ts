// Queries of the restream page, and the values derived from their data.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import type { Operation } from '#contract/core/operation.ts'
import type { Discount, RestreamSlot } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import { type AccessType, roleCan } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'

/** Data beside the slots. Every value may be missing: another server may serve the slots alone. */
export interface Known {
  readonly projectId: number
  /** Plan title from the catalogue. */
  readonly titleOf: (id: number | undefined) => string | undefined
  /** Returns whether channels and bitrate of the plan are configurable. */
  readonly isFlexible: (id: number) => boolean
  /** Title of the free plan, which starts automatically. */
  readonly freeTitle: string | undefined
  /** True when the running plan is renewed automatically. */
  readonly isRenewed: boolean
  /** Start of the running plan, from project info. */
  readonly startOf: (current: RestreamSlot | null | undefined) => string | null
  readonly currency: Currency | null
  /** Total of all balances, minor units. */
  readonly balance: number | null
  /** Owed by the project, minor units; plans cannot be bought before it is paid. */
  readonly debt: number
  /** Discounts of the periods in percent, and the periods that are sold. */
  readonly discount: Discount | null
  /** True when this member may buy and cancel; null while unknown. */
  readonly canBuy: boolean | null
}

/** Queries of the page. A language change refetches, and the previous data stays until then. */
export function useRestream(projectId: number) {
  const input = { project_id: projectId }
  const slots = useQuery({ ...q(restream.slots, input), placeholderData: keepPreviousData })
  const offers = useQuery({ ...q(restream.offers, input), placeholderData: keepPreviousData })
  const info = useQuery({ ...q(projects.info, input), placeholderData: keepPreviousData })
  // Project info includes the discounts; a server without it gets a separate request.
  const discount = useQuery({ ...q(restream.discount, {}), staleTime: 300_000, enabled: info.isError })
  const plans = offers.data?.results
  const data = info.data?.data
  const bought = info.data?.restream.plan2user
  const known: Known = {
    projectId,
    titleOf: (id) => plans?.find((plan) => plan.plan_restream_id === id)?.title,
    isFlexible: (id) => plans?.find((plan) => plan.plan_restream_id === id)?.type === 'paid_flex',
    freeTitle: plans?.find((plan) => plan.type === 'free')?.title,
    startOf: (current) => (current?.id === bought?.plan_restream_id ? (bought?.date_start ?? null) : null),
    isRenewed: bought?.prolongation === 1,
    currency: data?.currency ?? null,
    balance: data ? data.balance_bonus + data.balance_payment + data.balance_profit : null,
    debt: data?.debt ?? 0,
    discount: info.data?.restream.data.discount ?? discount.data ?? null,
    canBuy: info.data ? mayCall(restream.buy, info.data.access.access_type) : null,
  }
  return { slots, offers, known }
}

const mayCall = ({ auth }: Operation, accessType: AccessType): boolean =>
  auth === 'none' || auth === 'session' || (auth !== 'operator' && roleCan(accessType, auth))
