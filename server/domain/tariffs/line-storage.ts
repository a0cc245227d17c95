// The line of storage plans: space for recordings in addition to the restream plan, GB.
import { noStorage, type StorageAllowance, type UnitPlan, unitPrice, unitsOf } from './add-on-rules.ts'
import { getStoragePlan, listStoragePlansFor, type StoragePlanRow } from './add-on-store.ts'
import type { Line } from './line.ts'

export const storageLine: Line<StorageAllowance, UnitPlan> = {
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
export const storagePlanOf = (row: StoragePlanRow): UnitPlan => ({
  id: row.id,
  title: row.title,
  type: 'paid_month',
  active: row.active === 1,
  index: row.sort_index,
  units: { min: row.size_min, max: row.size_max, step: row.size_step },
  prices: { rub: row.price_rub, usd: row.price_usd },
})
