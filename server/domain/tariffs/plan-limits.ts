// Limits of a project's plan, and errors that name a plan with higher limits.
import { type FlagFeature, flagFeatures } from '#contract/entities/plan-features.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import { allowanceOf, readAllowances } from './allowances.ts'
import { getPlan, listPlansById, listPlansFor, type PlanRow } from './store.ts'
import type { Allowance } from './subscriptions-slots.ts'
import { getCurrency } from '#server/domain/money/store.ts'

/** Limits of the running plan of a project, and whether it has each feature that a plan has or lacks. */
export interface PlanLimits extends Readonly<Record<FlagFeature, boolean>> {
  /** Channels that may be switched on at the same time. */
  readonly channels: number
  /** kbps. */
  readonly bitrateMax: number
  readonly pullLinkMax: number
  /** Minutes that channels may wait for a lost encoder. */
  readonly waitMaxMinutes: number
}

/** Longest wait for a lost encoder in minutes, by type of plan: the published catalogue has no such column. */
const waitMinutesBy: Readonly<Record<PlanRow['type'], number>> = {
  free: 5,
  paid_fix: 60,
  paid_flex: 120,
  custom: 1440,
}

/** Limit of a feature that a plan has or lacks: no use of it, or any number. */
function flagLimit(field: FlagFeature) {
  const count = (has: boolean) => (has ? Number.MAX_SAFE_INTEGER : 0)
  return { of: (all: PlanLimits) => count(all[field]), with: (row: PlanRow) => count(row[field] === 1) }
}

/** Limits by their names in errors: the limit of a project, and the limit of a plan. */
const limits = {
  channels: {
    of: ({ channels }: PlanLimits) => channels,
    with: (row: PlanRow) => row.channel_max,
  },
  custom_channels: flagLimit('support_custom_channel'),
  pull_links: {
    of: ({ pullLinkMax }: PlanLimits) => pullLinkMax,
    with: (row: PlanRow) => row.pull_link_limit,
  },
  wait_minutes: {
    of: ({ waitMaxMinutes }: PlanLimits) => waitMaxMinutes,
    with: (row: PlanRow) => waitMinutesBy[row.type],
  },
  create_projects: flagLimit('create_projects'),
  change_subject: flagLimit('change_subject'),
} as const
export type LimitName = keyof typeof limits

/** Returns the limits of the running plan of a project. */
export async function limitsOf(services: Pick<Services, 'clock'>, db: ReadDb, projectId: number): Promise<PlanLimits> {
  const allowance = await allowanceOf(services, db, projectId, 'restream')
  return limitsIn(await getPlan(db, allowance.planId), allowance)
}

/** Returns the limits of projects; as many statements for any number of projects. */
export async function listLimits(
  services: Pick<Services, 'clock'>,
  db: ReadDb,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, PlanLimits>> {
  if (projectIds.length === 0) return new Map()
  const allowancesOf = await readAllowances(services, db, projectIds, ['restream'])
  const sold = projectIds.map((id) => [id, allowancesOf(id).restream] as const)
  const plans = await listPlansById(db, [...new Set(sold.map(([, { planId }]) => planId))])
  return new Map(
    sold.flatMap(([id, allowance]) => {
      const plan = plans.get(allowance.planId)
      return plan ? [[id, limitsIn(plan, allowance)]] : []
    }),
  )
}

/** Returns the limits of a plan as it was sold. */
export const limitsIn = (plan: PlanRow, sold: Allowance): PlanLimits => ({
  channels: sold.channels,
  bitrateMax: sold.bitrate,
  pullLinkMax: plan.pull_link_limit,
  waitMaxMinutes: waitMinutesBy[plan.type],
  ...(Object.fromEntries(flagFeatures.map((field) => [field, plan[field] === 1])) as Record<FlagFeature, boolean>),
  support_custom_channel: sold.customChannels,
})

/**
 * Checks a limit of the plan.
 * @param needed count that the project would have
 * @throws RuleError `PlanLimitReached` with `{limit, value, plan_restream_id, plan_title}`: the first plan with
 * a sufficient limit, or null. Lock the project (`lockProject`) before you count.
 */
export async function refuseOverLimit(
  services: Pick<Services, 'clock' | 'config'>,
  db: Db | Trx,
  projectId: number,
  limit: LimitName,
  needed: number,
): Promise<void> {
  const { of, with: allowedBy } = limits[limit]
  const value = of(await limitsOf(services, db, projectId))
  if (needed <= value) return
  const currency = await getCurrency(db, projectId)
  const better = (await listPlansFor(db, projectId)).find(
    (row) =>
      row.active === 1 && row.type !== 'free' && row.prices.base[currency] !== undefined && allowedBy(row) >= needed,
  )
  const lifts = { plan_restream_id: better?.id ?? null, plan_title: better?.title ?? null }
  throw new RuleError(`PlanLimitReached_${limit}`, { limit, value, ...lifts })
}
