// Transcoding and storage plans as the wire shows them, in the catalogues and in project info.
import type * as z from 'zod/mini'
import type { StorageInfo, StoragePlan, TranscodingInfo, TranscodingPlan } from '#contract/entities/add-on-plans.ts'
import type { Language } from '#contract/core/wire.ts'
import type { Clock } from '#server/core/clock.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { presentPrices } from './catalog.ts'
import {
  type PeriodTerms,
  type Priced,
  getStoragePlan,
  getTranscodingPlan,
  type StoragePlanRow,
  type TranscodingPlanRow,
  getPeriodTerms,
  titleIn,
} from './store.ts'
import { subscriptionFacts } from './subscription-info.ts'
import { readState } from './subscriptions.ts'
import { isBought } from './subscriptions-rules.ts'

/** Converts a row for the catalogue. @param space flows that the servers can run in addition */
export const presentTranscodingPlan = (
  row: Priced<TranscodingPlanRow>,
  discount: PeriodTerms,
  { space, language }: { readonly space: number; readonly language: Language },
): TranscodingPlan => ({
  plan_transcoding_id: row.id,
  title: titleIn(row, language),
  type: row.type,
  ...presentPrices(row.prices),
  resolution: row.resolution,
  fps: row.fps,
  weight: row.weight,
  active: row.active === 1,
  index: row.sort_index,
  space,
  discount: { ...discount },
})

/** Converts a row for the catalogue. */
export const presentStoragePlan = (
  row: Priced<StoragePlanRow>,
  discount: PeriodTerms,
  language: Language,
): StoragePlan => ({
  plan_storage_id: row.id,
  title: titleIn(row, language),
  min: row.size_min,
  max: row.size_max,
  step: row.size_step,
  ...presentPrices(row.prices),
  active: row.active === 1,
  discount: { ...discount },
})

interface Source {
  readonly db: Db | Trx
  readonly clock: Clock
  readonly language: Language
}

/** Returns the bought transcoding plan of a project; null without one. @param space flows that the servers can run */
export async function transcodingInfo(
  { db, clock, language }: Source,
  projectId: number,
  space: () => Promise<number>,
): Promise<z.output<typeof TranscodingInfo> | null> {
  const { current } = (await readState(db, clock, projectId, 'transcoding')).slots
  if (!isBought(current)) return null
  const { money_flow_uuid: _, ...facts } = await subscriptionFacts(db, projectId, 'transcoding', current)
  return {
    plan2user: { plan_transcoding2user_id: current.id, count: current.count, ...facts },
    data: presentTranscodingPlan(
      await getTranscodingPlan(db, current.planId),
      await getPeriodTerms(db, 'transcoding'),
      { space: await space(), language },
    ),
  }
}

/** Returns the bought storage plan of a project; null without one. */
export async function storageInfo(
  { db, clock, language }: Source,
  projectId: number,
): Promise<z.output<typeof StorageInfo> | null> {
  const { current } = (await readState(db, clock, projectId, 'storage')).slots
  if (!isBought(current)) return null
  return {
    plan2user: {
      plan_storage2user_id: current.id,
      plan_storage_id: current.planId,
      size: current.size,
      ...(await subscriptionFacts(db, projectId, 'storage', current)),
    },
    data: presentStoragePlan(await getStoragePlan(db, current.planId), await getPeriodTerms(db, 'storage'), language),
  }
}
