// PlanTranscoding: transcoders that a project may run at the same time.
import { stalePlans } from '#contract/entities/stale.ts'
import { group } from '#contract/core/group.ts'
import { TranscodingPlan, TranscodingSlots } from '#contract/entities/add-on-plans.ts'
import { addOnLine } from './plan-line.ts'

export const transcoding = group(
  'tariffs.transcoding',
  { prefix: 'plan_transcoding', title: 'PlanTranscoding', stale: stalePlans },
  addOnLine(
    { line: 'transcoding', units: 'count', max: 100_000 },
    {
      slots: 'Get tariff for project',
      cancelNext: 'Remove after tariff',
      buy: 'Buy transcoder tariff',
      list: 'Get list of transcoding tariffs',
      discount: 'Get discount transcoding',
      check: 'Check transcoding tariff before buy',
    },
    { slots: TranscodingSlots, plan: TranscodingPlan },
  ),
)
