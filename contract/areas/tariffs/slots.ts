// What a project may, now, before and next: of the group of restream tariffs, which has it whole. Apart from the rest of it,
// because many pages show it and only one sells tariffs.
import { group } from '#contract/core/group.ts'
import { read } from '#contract/core/operation.ts'
import { InProject } from '#contract/core/wire.ts'
import { RestreamSlots } from '#contract/entities/plan.ts'

export const tariff = group(
  'tariffs.restream',
  { prefix: 'plan_restream', title: 'PlanRestream' },
  {
    slots: read('', {
      name: 'Get tariff for project',
      input: InProject,
      output: RestreamSlots,
      auth: 'viewer',
      provenance: 'brief',
    }),
  },
)
