// Plans of the lines that are bought in addition to restream: transcoding and storage.
import * as z from 'zod/mini'
import { DateTime, maybe } from '#contract/core/lenient.ts'
import { currencyFields } from './currencies.ts'
import { Discount, Period } from './plan.ts'

const resolution = z.enum(['720p', '1080p', '2K', 'UW', '4K', '8K'])
const fps = z.enum(['30', '60'])

/** Fields that the slots of both lines share. `prolongation` 1: renewed automatically. */
const slot = {
  id: z.int(),
  title: z.string(),
  date_end: z.nullable(DateTime),
  /** Of `next` only. */
  date_start: z.optional(DateTime),
  prolongation: z.literal([0, 1]),
} as const

/** Transcoding plan slot (published `PlanTranscodingItem`): transcoders at the same time, and their largest output. */
export const TranscodingSlot = z.object({ ...slot, count: z.int(), resolution: z.nullable(resolution), fps })
export type TranscodingSlot = z.output<typeof TranscodingSlot>

/** The three slots in order of time. */
export const TranscodingSlots = z.object({
  before: maybe(TranscodingSlot),
  current: maybe(TranscodingSlot),
  next: maybe(TranscodingSlot),
})

/** Storage plan slot (published `PlanStorageItem`). `size` in GB. */
export const StorageSlot = z.object({ ...slot, size: z.int(), period: z.nullable(Period) })
export type StorageSlot = z.output<typeof StorageSlot>

/** The three slots in order of time; `current` is null without a bought plan. */
export const StorageSlots = z.object({
  before: maybe(StorageSlot),
  current: maybe(StorageSlot),
  next: maybe(StorageSlot),
})

/** Row of the transcoding catalogue (published `PlanTranscodingResponse`). Prices per flow and month, minor units. */
export const TranscodingPlan = z.object({
  plan_transcoding_id: z.int(),
  title: z.string(),
  type: z.enum(['free', 'paid_month', 'paid_minute', 'custom']),
  ...currencyFields('price', () => z.nullable(z.int())),
  resolution: z.nullable(resolution),
  fps,
  /** Load of a flow on a server, compared with the other plans. */
  weight: z.int(),
  active: z.boolean(),
  index: z.int(),
  /** Flows that the servers can run in addition now. */
  space: z.int(),
  discount: Discount,
})
export type TranscodingPlan = z.output<typeof TranscodingPlan>

/** Row of the storage catalogue (published `PlanStorageResponse`). Prices per GB and month, minor units; sizes in GB. */
export const StoragePlan = z.object({
  plan_storage_id: z.int(),
  title: z.string(),
  min: z.int(),
  max: z.int(),
  step: z.int(),
  ...currencyFields('price', () => z.nullable(z.int())),
  active: z.boolean(),
  discount: Discount,
})
export type StoragePlan = z.output<typeof StoragePlan>

const subscription = {
  date_end: z.nullable(DateTime),
  date_start: z.nullable(DateTime),
  date_create: z.nullable(DateTime),
  period: z.nullable(Period),
  period_uuid: z.string(),
  status: z.string(),
  prolongation: z.literal([0, 1]),
} as const

/** Bought transcoding plan inside project info. */
export const TranscodingInfo = z.object({
  plan2user: z.object({ plan_transcoding2user_id: z.int(), count: z.int(), ...subscription }),
  data: TranscodingPlan,
})

/** Bought storage plan inside project info. */
export const StorageInfo = z.object({
  plan2user: z.object({
    plan_storage2user_id: z.int(),
    plan_storage_id: z.int(),
    size: z.int(),
    money_flow_uuid: z.string(),
    ...subscription,
  }),
  data: StoragePlan,
})
