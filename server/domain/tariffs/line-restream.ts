// The line of restream plans: channels and bitrate of a project.
import { planOf } from './catalog.ts'
import { configure, monthlyPrice, type Plan, smallest } from './catalog-rules.ts'
import type { Line } from './line.ts'
import { getEverythingPlan, getFreePlan, getPlan, listPlansFor } from './store.ts'
import type { Allowance } from './subscriptions-slots.ts'

export const restreamLine: Line<Allowance, Plan> = {
  name: 'restream',
  buys: 'plan_restream_buy',
  planKey: 'plan_restream_id',
  plans: async (db, projectId) => (await listPlansFor(db, projectId)).map(planOf),
  plan: async (db, id) => planOf(await getPlan(db, id)),
  base: async (db) => smallest(planOf(await getFreePlan(db))),
  everything: async (db) => smallest(planOf(await getEverythingPlan(db))),
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
