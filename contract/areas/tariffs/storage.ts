// PlanStorage: space for recordings in addition to the restream plan.
import { stalePlans } from '#contract/entities/stale.ts'
import { group } from '#contract/core/group.ts'
import { StoragePlan, StorageSlots } from '#contract/entities/add-on-plans.ts'
import { addOnLine } from './plan-line.ts'

export const storage = group(
  'tariffs.storage',
  { prefix: 'plan_storage', title: 'PlanStorage', stale: stalePlans },
  addOnLine(
    { line: 'storage', units: 'size', max: 1_000_000 },
    {
      slots: 'Get tariff for project',
      cancelNext: 'Remove next tariff',
      buy: 'Buy storage tariff',
      list: 'Get info for storage tariff',
      discount: 'Get discount of storage',
      check: 'Check storage tariff before buy',
    },
    { slots: StorageSlots, plan: StoragePlan },
  ),
)
