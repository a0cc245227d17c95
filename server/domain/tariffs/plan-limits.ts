// What the tariff of a project allows, and refusals that name the plan which allows more.
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { getPlan, listPlansFor, planOf, type PlanRow, storageGbOf } from './catalog.ts'
import { currencyOf } from './ledger.ts'
import { readState } from './subscriptions.ts'

/** What a project may have at once, by its running plan. */
export interface PlanLimits {
  /** Channels that are switched on. */
  readonly channelMax: number
  /** kbps. */
  readonly bitrateMax: number
  /** Destinations that belong to no platform. */
  readonly customChannels: boolean
  readonly pullLinkMax: number
  /** Minutes that channels may wait for a lost encoder. */
  readonly waitMaxMinutes: number
  /** Space for recordings, GB. */
  readonly storageGb: number
  /** Whether its owners may make team projects. */
  readonly createProjects: boolean
}

/** Longest wait for a lost encoder, minutes, by kind of plan: no catalogue names one. */
const waitMinutesBy: Readonly<Record<PlanRow['type'], number>> = {
  free: 5,
  paid_fix: 60,
  paid_flex: 120,
  custom: 1440,
}

/** Limits by the name that a refusal gives them: how many the project may have, and how many a plan would allow. */
const limits = {
  channels: {
    of: ({ channelMax }: PlanLimits) => channelMax,
    with: (row: PlanRow) => row.channel_max,
    sentence: (value: number) => `The tariff allows ${value} channels to be switched on`,
  },
  custom_channels: {
    of: ({ customChannels }: PlanLimits) => (customChannels ? Number.MAX_SAFE_INTEGER : 0),
    with: (row: PlanRow) => (row.support_custom_channel === 1 ? Number.MAX_SAFE_INTEGER : 0),
    sentence: () => 'The tariff has no custom channels',
  },
  pull_links: {
    of: ({ pullLinkMax }: PlanLimits) => pullLinkMax,
    with: (row: PlanRow) => row.pull_link_limit,
    sentence: (value: number) => `The tariff allows ${value} pull links`,
  },
  wait_minutes: {
    of: ({ waitMaxMinutes }: PlanLimits) => waitMaxMinutes,
    with: (row: PlanRow) => waitMinutesBy[row.type],
    sentence: (value: number) => `The tariff lets channels wait ${value} minutes for a lost encoder`,
  },
  create_projects: {
    of: ({ createProjects }: PlanLimits) => (createProjects ? 1 : 0),
    with: (row: PlanRow) => row.create_projects,
    sentence: () => 'The tariff has no team projects',
  },
} as const
export type LimitName = keyof typeof limits

/** What the running plan of a project allows. */
export async function limitsOf(
  { clock, config }: Pick<Services, 'clock' | 'config'>,
  db: Db | Trx,
  projectId: number,
): Promise<PlanLimits> {
  const { current } = (await readState(db, clock, projectId)).slots
  const plan = await getPlan(db, current.planId)
  return {
    channelMax: current.channels,
    bitrateMax: current.bitrate,
    customChannels: current.customChannels,
    pullLinkMax: plan.pull_link_limit,
    waitMaxMinutes: waitMinutesBy[plan.type],
    storageGb: storageGbOf(plan, config),
    createProjects: plan.create_projects === 1,
  }
}

/**
 * Refuses what the tariff does not allow.
 * @param needed how many the project would have
 * @throws RuleError `PlanLimitReached` with `{limit, value, plan_restream_id, plan_title}`: the first plan that would
 * do, null when none does. Hold the project (`lockProject`) while you count and change.
 */
export async function refuseOverLimit(
  services: Pick<Services, 'clock' | 'config'>,
  db: Db | Trx,
  projectId: number,
  limit: LimitName,
  needed: number,
): Promise<void> {
  const { of, with: allowedBy, sentence } = limits[limit]
  const value = of(await limitsOf(services, db, projectId))
  if (needed <= value) return
  const currency = await currencyOf(db, projectId)
  const better = (await listPlansFor(db, projectId)).find(
    (row) => row.active === 1 && row.type !== 'free' && planOf(row).prices[currency] && allowedBy(row) >= needed,
  )
  const lifts = { plan_restream_id: better?.id ?? null, plan_title: better?.title ?? null }
  throw new RuleError('PlanLimitReached', sentence(value), { limit, value, ...lifts })
}

/** Takes hold of a project until the transaction ends, so that counting and changing are one step. */
export async function lockProject(trx: Trx, projectId: number): Promise<void> {
  await trx.selectFrom('projects').select('id').where('id', '=', projectId).forUpdate().executeTakeFirstOrThrow()
}
