// Product lines by name: restream, transcoders that run at the same time, and space for recordings (GB).
import { byCurrency } from '#contract/entities/currencies.ts'
import type { LineName } from '#contract/entities/plan.ts'
import {
  type StorageAllowance,
  type TranscodingAllowance,
  noStorage,
  type UnitPlan,
  unitPrice,
  unitsOf,
  allTranscoding,
  largerResolution,
  type TranscodingPlan,
} from './add-on-rules.ts'
import { getInstallation } from '#server/domain/installation/store.ts'
import type { Line } from './line.ts'
import type { Allowance } from './subscriptions-slots.ts'
import { planOf, settingsOf } from './catalog.ts'
import { configure, monthlyPrice, type Plan, smallest } from './catalog-rules.ts'
import {
  getEverythingPlan,
  getFreePlan,
  getPricedPlan,
  listPlansFor,
  getStoragePlan,
  listStoragePlansFor,
  type Priced,
  type StoragePlanRow,
  getFreeTranscodingPlan,
  getTranscodingPlan,
  listTranscodingPlansFor,
  type TranscodingPlanRow,
} from './store.ts'

/** Allowances of the plans of each line. */
export interface Allowances {
  readonly restream: Allowance
  readonly transcoding: TranscodingAllowance
  readonly storage: StorageAllowance
}

export const restreamLine: Line<Allowance, Plan> = {
  name: 'restream',
  buys: 'plan_restream_buy',
  planKey: 'plan_restream_id',
  plans: async (db, projectId) => (await listPlansFor(db, projectId)).map(planOf),
  plan: async (db, id) => planOf(await getPricedPlan(db, id)),
  base: async (db) => smallest(settingsOf(await getFreePlan(db))),
  everything: async (db) => smallest(settingsOf(await getEverythingPlan(db))),
  configure,
  monthly: monthlyPrice,
  order: ({ channels, bitrate }) => [channels, bitrate],
  larger: (a, b) => ({
    ...a,
    channels: Math.max(a.channels, b.channels),
    bitrate: Math.max(a.bitrate, b.bitrate),
    customChannels: a.customChannels || b.customChannels,
  }),
}

const storageLine: Line<StorageAllowance, UnitPlan> = {
  name: 'storage',
  buys: 'plan_storage_buy',
  planKey: 'plan_storage_id',
  plans: async (db, projectId) => (await listStoragePlansFor(db, projectId)).map(storagePlanOf),
  plan: async (db, id) => storagePlanOf(await getStoragePlan(db, id)),
  base: async () => noStorage,
  // The space is that of the everything plan.
  everything: async () => noStorage,
  configure(plan, wanted, running) {
    const result = unitsOf(plan, 'size', wanted, running.planId === plan.id ? running.size : null)
    return 'units' in result ? { setting: { planId: plan.id, size: result.units } } : result
  },
  monthly: (plan, { size }, currency) => unitPrice(plan, size, currency),
  order: ({ size }) => [size],
  larger: (a, b) => (b.size > a.size ? b : a),
}

/** Converts a row for the rules. */
const storagePlanOf = (row: Priced<StoragePlanRow>): UnitPlan => ({
  id: row.id,
  title: row.title,
  titles: row.titles,
  type: 'paid_month',
  active: row.active === 1,
  index: row.sort_index,
  units: { min: row.size_min, max: row.size_max, step: row.size_step },
  prices: byCurrency((currency) => row.prices.base[currency] ?? null),
})

const transcodingLine: Line<TranscodingAllowance, TranscodingPlan> = {
  name: 'transcoding',
  buys: 'plan_transcoding_buy',
  planKey: 'plan_transcoding_id',
  plans: async (db, projectId) => (await listTranscodingPlansFor(db, projectId)).map(transcodingPlanOf),
  plan: async (db, id) => transcodingPlanOf(await getTranscodingPlan(db, id)),
  base: async (db) => {
    const row = await getFreeTranscodingPlan(db)
    return allowance(row.id, row.count_max, row)
  },
  everything: async (db) => {
    const { transcoders_max: count } = await getInstallation(db)
    return count === null ? allTranscoding : { ...allTranscoding, count }
  },
  configure(plan, wanted, running) {
    const result = unitsOf(plan, 'count', wanted, running.planId === plan.id ? running.count : null)
    return 'units' in result ? { setting: allowance(plan.id, result.units, plan) } : result
  },
  monthly: (plan, { count }, currency) => unitPrice(plan, count, currency),
  order: ({ count }) => [count],
  larger: (a, b) => ({
    ...a,
    count: Math.max(a.count, b.count),
    resolution: largerResolution(a.resolution, b.resolution),
    fps: Math.max(a.fps, b.fps),
  }),
}

/** Converts a row for the rules. */
const transcodingPlanOf = (row: Priced<TranscodingPlanRow>): TranscodingPlan => ({
  id: row.id,
  title: row.title,
  titles: row.titles,
  type: row.type,
  active: row.active === 1,
  index: row.sort_index,
  units: { min: 1, max: row.count_max, step: 1 },
  prices: byCurrency((currency) => row.prices.base[currency] ?? null),
  resolution: row.resolution,
  fps: Number(row.fps),
})

const allowance = (
  planId: number,
  count: number,
  { resolution, fps }: { readonly resolution: TranscodingPlan['resolution']; readonly fps: string | number },
): TranscodingAllowance => ({ planId, count, resolution, fps: Number(fps) })

const lines: { readonly [L in LineName]: Line<Allowances[L]> } = {
  restream: restreamLine,
  transcoding: transcodingLine,
  storage: storageLine,
}

/** Returns the descriptor of a line. */
export const lineOf = <L extends LineName>(name: L): Line<Allowances[L]> => lines[name]
