// Promo: codes that credit the bonus balance or give a plan.
import * as z from 'zod/mini'
import { stalePlans } from '#contract/entities/stale.ts'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { InProject } from '#contract/core/wire.ts'
import { PromoType } from '#contract/entities/money.ts'
import { Period } from '#contract/entities/plan.ts'
import { Currency } from '#contract/entities/project.ts'

const input = z.extend(InProject, { code: z.string().check(z.trim(), z.minLength(1), z.maxLength(64)) })

export const promo = group(
  'tariffs.promo',
  { prefix: 'promo', title: 'Promo' },
  {
    check: read('check', {
      name: 'Check code',
      input,
      output: z.object({
        name: z.string(),
        id: z.int(),
        type: PromoType,
        amount: z.nullable(z.int()),
        percent: z.nullable(z.int()),
        currency: Currency,
        plan: z.nullable(z.object({ id: z.int(), title: z.string(), period: Period })),
      }),
      auth: 'owner',
      scope: 'billing:read',
      provenance: 'published',
      notes: {
        amount: 'decided: minor units that the bonus balance gets, or that `fixed` takes off a price; else null',
        percent: 'decided: percent that `percent` takes off a price; else null',
      },
    }),
    apply: write('GET', 'apply', {
      name: 'Apply code',
      input,
      output: z.object({ result: z.enum(['top_up', 'tariff']) }),
      auth: 'owner',
      scope: 'billing:write',
      provenance: 'published',
      replay: 'never',
      stale: stalePlans,
    }),
  },
)
