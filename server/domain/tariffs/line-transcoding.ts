// The line of transcoding plans: transcoders that may run at the same time, and their largest output.
import {
  allTranscoding,
  largerResolution,
  type TranscodingAllowance,
  type TranscodingPlan,
  unitPrice,
  unitsOf,
} from './add-on-rules.ts'
import {
  getFreeTranscodingPlan,
  getTranscodingPlan,
  listTranscodingPlansFor,
  type TranscodingPlanRow,
} from './add-on-store.ts'
import type { Line } from './line.ts'

export const transcodingLine: Line<TranscodingAllowance, TranscodingPlan> = {
  name: 'transcoding',
  buys: 'plan_transcoding_buy',
  planKey: 'plan_transcoding_id',
  plans: async (db, projectId) => (await listTranscodingPlansFor(db, projectId)).map(transcodingPlanOf),
  plan: async (db, id) => transcodingPlanOf(await getTranscodingPlan(db, id)),
  base: async (db) => {
    const plan = transcodingPlanOf(await getFreeTranscodingPlan(db))
    return allowance(plan, plan.units.max)
  },
  everything: async () => allTranscoding,
  configure(plan, wanted, running) {
    const result = unitsOf(plan, 'count', wanted, running.planId === plan.id ? running.count : null)
    return 'units' in result ? { setting: allowance(plan, result.units) } : result
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
export const transcodingPlanOf = (row: TranscodingPlanRow): TranscodingPlan => ({
  id: row.id,
  title: row.title,
  type: row.type,
  active: row.active === 1,
  index: row.sort_index,
  units: { min: 1, max: row.count_max, step: 1 },
  prices: { rub: row.price_rub, usd: row.price_usd },
  resolution: row.resolution,
  fps: Number(row.fps),
})

const allowance = ({ id, resolution, fps }: TranscodingPlan, count: number): TranscodingAllowance => ({
  planId: id,
  count,
  resolution,
  fps,
})
