// The catalogue of restream plans in the database: who may see which row, and the rows as rules and as wire shapes.
import type { Selectable } from 'kysely'
import type { RestreamPlan } from '#contract/entities/plan.ts'
import type { Settings } from '#server/core/settings.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { TariffTables } from '#server/db/tables-tariffs.ts'
import type { Discounts, Plan } from './catalog-rules.ts'

export type PlanRow = Selectable<TariffTables['restream_plans']>

/** The public catalogue in its order. */
export const listPlans = (db: Db | Trx): Promise<PlanRow[]> =>
  db.selectFrom('restream_plans').selectAll().where('listed', '=', 1).orderBy('sort_index').execute()

/** The rows that a project may see, sold still or not: the public ones, and those made for it. */
export const listPlansFor = (db: Db | Trx, projectId: number): Promise<PlanRow[]> =>
  db
    .selectFrom('restream_plans')
    .selectAll()
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('listed', '=', 1),
        eb('id', 'in', selectFrom('restream_plan_projects').select('plan_id').where('project_id', '=', projectId)),
      ]),
    )
    .orderBy('sort_index')
    .execute()

/** Any row by its id, whoever may see it. */
export const getPlan = (db: Db | Trx, id: number): Promise<PlanRow> =>
  db.selectFrom('restream_plans').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/**
 * The plan of a project that has bought none. It is read once per database and process, because every look at a
 * tariff needs it; a catalogue is changed by a migration, which comes with a restart.
 */
export function getFreePlan(db: Db | Trx): Promise<PlanRow> {
  const known = freePlans.get(db)
  if (known) return known
  const read = db.selectFrom('restream_plans').selectAll().where('type', '=', 'free').executeTakeFirstOrThrow()
  freePlans.set(db, read)
  read.catch(() => freePlans.delete(db))
  return read
}
const freePlans = new WeakMap<Db | Trx, Promise<PlanRow>>()

/** Percent off the price of a period of a restream plan. */
export async function getDiscounts(db: Db | Trx): Promise<Discounts> {
  const row = await db
    .selectFrom('plan_discounts')
    .select(['month_percent as month', 'year_percent as year'])
    .where('line', '=', 'restream')
    .executeTakeFirst()
  return row ?? { month: 0, year: 0 }
}

/** Lets a project see and buy a plan that is not listed. */
export async function assignPlan(db: Db | Trx, planId: number, projectId: number): Promise<void> {
  await db
    .insertInto('restream_plan_projects')
    .values({ plan_id: planId, project_id: projectId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** A row as the rules know it. */
export const planOf = (row: PlanRow): Plan => ({
  id: row.id,
  title: row.title,
  type: row.type,
  active: row.active === 1,
  index: row.sort_index,
  channels: { min: row.channel_min, max: row.channel_max, step: row.channel_step },
  bitrate: { min: row.bitrate_min, max: row.bitrate_max, step: row.bitrate_step },
  prices: {
    rub: prices(row.price_rub, row.channel_step_price_rub, row.bitrate_step_price_rub),
    usd: prices(row.price_usd, row.channel_step_price_usd, row.bitrate_step_price_usd),
  },
  customChannels: row.support_custom_channel === 1,
  customVideo: row.custom_video,
})

const prices = (base: number | null, channelStep: number, bitrateStep: number) =>
  base === null ? null : { base, channelStep, bitrateStep }

/** Space for recordings, GB: `RECORD_LIMIT` is the least that every plan gives. */
export const storageGbOf = (
  { video_storage }: Pick<PlanRow, 'video_storage'>,
  { recordLimitGb }: Pick<Settings, 'recordLimitGb'>,
): number => Math.max(video_storage ?? 0, recordLimitGb)

/** Features that the catalogue knows and this service does not provide. */
const notProvided = {
  chat: false,
  video: false,
  background_chat: false,
  dedicated_server: false,
  personal_manager: null,
} as const

/** A row as the public catalogue and project info show it. Every plan may change titles on all channels at once. */
export const presentPlan = (
  row: PlanRow,
  discount: Discounts,
  config: Pick<Settings, 'recordLimitGb'>,
): RestreamPlan => ({
  ...notProvided,
  plan_restream_id: row.id,
  title: row.title,
  active: row.active === 1,
  count_channel_min: row.channel_min,
  count_channel_max: row.channel_max,
  type: row.type,
  price_rub: row.price_rub,
  price_usd: row.price_usd,
  bitrate_max: row.bitrate_max,
  bitrate_min: row.bitrate_min,
  resolution: row.resolution,
  fps: row.fps,
  create_projects: row.create_projects === 1,
  video_storage: storageGbOf(row, config),
  change_subject: true,
  pull_link_limit: row.pull_link_limit,
  index: row.sort_index,
  support_custom_channel: row.support_custom_channel === 1,
  discount: { ...discount },
})
