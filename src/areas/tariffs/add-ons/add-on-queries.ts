// Queries of a page of an add-on line, and the values derived from their data.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { projects } from '#contract/areas/projects/projects.ts'
import type { StoragePlan, TranscodingPlan } from '#contract/entities/add-on-plans.ts'
import type { Period } from '#contract/entities/plan.ts'
import { type Currency, usualCurrency } from '#contract/entities/currencies.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'
import { type AddOnName, type AddOnPlan, addOns, type AddOnSlot, quoteOf } from '#src/areas/tariffs/lines.ts'
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
    plans: rows?.map((row) => planOf(row, currency)),
    discount: rows?.[0]?.discount ?? null,
    startOfCurrent: info.data?.[line]?.plan2user.date_start ?? null,
  }
}

function planOf(row: TranscodingPlan | StoragePlan, currency: Currency | null): AddOnPlan {
  const price = row[`price_${currency ?? usualCurrency}`]
  const common = { title: row.title, price, isForSale: row.active && price !== null }
  if ('plan_storage_id' in row) {
    const { min, max, step } = row
    return { ...common, id: row.plan_storage_id, isFree: false, range: { min, max, step } }
  }
  const isFree = row.type === 'free'
  return {
    ...common,
    id: row.plan_transcoding_id,
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
  chosen: { readonly planId: number; readonly units: number; readonly period: Period } | null,
) =>
  useQuery({
    ...q(addOns[line].ops.check, {
      project_id: projectId,
      [addOns[line].planKey]: chosen?.planId,
      [addOns[line].units]: chosen?.units,
      period: chosen?.period,
    } as never),
    enabled: chosen !== null,
    placeholderData: keepPreviousData,
    select: (quote) => quoteOf(quote) ?? undefined,
  })

/** Units of a slot. */
export const unitsOf = (slot: AddOnSlot | null | undefined): number | undefined => slot?.count ?? slot?.size
