// Queries of a page of an add-on line, and the values derived from their data.
import type { AddOnName, AddOnPlan } from '#src/components/plan-cards/add-on-card.tsx'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { projects } from '#contract/areas/projects/projects.ts'
import type { StoragePlan, TranscodingPlan } from '#contract/entities/add-on-plans.ts'
import type { Period } from '#contract/entities/plan.ts'
import { type Currency, usualCurrency } from '#contract/entities/currencies.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'
import { addOns, type AddOnSlot, quoteOf } from '#src/areas/tariffs/lines.ts'
import type { Known } from '#src/areas/tariffs/queries.ts'

/** Most transcoders that the stepper offers beyond those that the servers can run: the running ones can be extended. */
const countMax = 50

/** Queries of an add-on line. */
export function useAddOn(projectId: number, line: AddOnName) {
  const { ops } = addOns[line]
  const input = { project_id: projectId }
  const slots = useQuery({ ...q(ops.slots, input), placeholderData: keepPreviousData })
  const list = useQuery({ ...q(ops.offers, input), placeholderData: keepPreviousData })
  const info = useQuery({ ...q(projects.info, input), placeholderData: keepPreviousData })
  const data = info.data?.data
  const currency = data?.currency ?? null
  const rows = list.data?.results as readonly (TranscodingPlan | StoragePlan)[] | undefined
  const known: Pick<Known, 'projectId' | 'currency' | 'balance' | 'debt' | 'canBuy'> = {
    projectId,
    currency,
    balance: data ? data.balance_bonus + data.balance_payment + data.balance_profit : null,
    debt: data?.debt ?? 0,
    canBuy: info.data ? roleCan(info.data.access.access_type, 'owner') : null,
  }
  return {
    slots,
    list,
    known,
    plans: rows?.flatMap((row) => planOf(row, currency, slots.data?.current?.id) ?? []),
    discount: rows?.[0]?.discount ?? null,
    startOfCurrent: info.data?.[line]?.plan2user.date_start ?? null,
  }
}

/** Returns a plan as its card shows it; null for an archived one that does not run. */
function planOf(
  row: TranscodingPlan | StoragePlan,
  currency: Currency | null,
  running: number | undefined,
): AddOnPlan | null {
  const price = row[`price_${currency ?? usualCurrency}`]
  const id = 'plan_storage_id' in row ? row.plan_storage_id : row.plan_transcoding_id
  if (!row.active && id !== running) return null
  const common = { id, title: row.title, price, isForSale: price !== null }
  if ('plan_storage_id' in row) {
    const { min, max, step } = row
    return { ...common, isFree: false, range: { min, max, step } }
  }
  const isFree = row.type === 'free'
  return {
    ...common,
    isFree,
    isForSale: common.isForSale && !isFree,
    range: { min: 1, max: countMax, step: 1 },
    resolution: row.resolution,
    fps: row.fps,
  }
}

/** Quote of a purchase, with the fields of a restream quote. */
export const useAddOnQuote = (
  line: AddOnName,
  projectId: number,
  chosen: {
    readonly planId: number
    readonly units: number
    readonly period: Period
    readonly code: string | null
  } | null,
) =>
  useQuery({
    ...q(addOns[line].ops.check, {
      project_id: projectId,
      [addOns[line].planKey]: chosen?.planId,
      [addOns[line].units]: chosen?.units,
      period: chosen?.period,
      promo_code: chosen?.code ?? undefined,
    } as never),
    enabled: chosen !== null,
    placeholderData: keepPreviousData,
    select: (quote) => quoteOf(quote) ?? undefined,
  })

/** Units of a slot. */
export const unitsOf = (slot: AddOnSlot | null | undefined): number | undefined => slot?.count ?? slot?.size
