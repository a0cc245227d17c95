// Tables of money and of tariffs. Money in minor units, bitrates in kbps, storage in GB, times as ISO 8601 text in UTC.
import type { Generated } from 'kysely'
import type { Period, PlanType, RestreamPlan } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'

type Flag = 0 | 1

/** Money (migration 0003). */
export interface LedgerTables {
  /** What the purses of a project hold: the sums of their entries. Its row is what concurrent changes queue up for. */
  wallets: { project_id: number; bonus_minor: number; payment_minor: number; profit_minor: number }
  /** One movement of money, whose entries sum to zero. Nothing is ever changed or removed. */
  ledger_transactions: {
    id: Generated<number>
    uuid: string
    project_id: number
    type: string
    /** Once per project: the same key books once. */
    idempotency_key: string | null
    /** What was asked for under the key, so that a key used for something else is noticed. */
    request: string | null
    /** What it was for, as JSON. */
    details: string | null
    date_create: string
  }
  ledger_entries: {
    id: Generated<number>
    transaction_id: number
    project_id: number
    /** A purse (`bonus`, `payment`, `profit`), or where the money comes from or goes to (`grants`, `sales`). */
    account: string
    /** What the account gains; negative when it gives. */
    amount_minor: number
    currency: Currency
    /** Of a purse: what it held before. */
    balance_before_minor: number | null
  }
}

/** Catalogue and subscriptions (migration 0004). */
export interface TariffTables {
  restream_plans: {
    id: number
    title: string
    type: PlanType
    /** Sold at present. */
    active: Flag
    /** In the public catalogue. */
    listed: Flag
    sort_index: number
    channel_min: number | null
    channel_max: number
    channel_step: number | null
    bitrate_min: number | null
    bitrate_max: number
    bitrate_step: number | null
    /** A month of the smallest setting, and what each step above it adds. Null: not sold in that currency. */
    price_rub: number | null
    price_usd: number | null
    channel_step_price_rub: number
    channel_step_price_usd: number
    bitrate_step_price_rub: number
    bitrate_step_price_usd: number
    resolution: RestreamPlan['resolution']
    fps: RestreamPlan['fps']
    create_projects: Flag
    chat: Flag
    video: Flag
    video_storage: number | null
    change_subject: Flag
    background_chat: Flag
    dedicated_server: Flag
    personal_manager: number | null
    pull_link_limit: number
    support_custom_channel: Flag
    custom_video: number
  }
  /** Who may see and buy a plan that is not listed. */
  restream_plan_projects: { plan_id: number; project_id: number }
  /** Percent off the price of a period, by product line. */
  plan_discounts: { line: string; month_percent: number; year_percent: number }
  /** A bought plan of a project without interruption, with what it gives as it was sold. */
  restream_terms: {
    id: Generated<number>
    project_id: number
    plan_id: number
    channel_max: number
    bitrate_max: number
    support_custom_channel: Flag
    custom_video: number
    date_create: string
    date_start: string
    /** Moves when the term is prolonged or cut short. */
    date_end: string
    /** Cancelled or replaced before it started. */
    date_cancel: string | null
    /** When its end was taken note of. */
    date_rolled: string | null
  }
  /** A stretch of a term that was paid at once, and what each purse gave. */
  restream_periods: {
    id: Generated<number>
    uuid: string
    term_id: number
    transaction_id: number
    period: Period
    date_start: string
    date_end: string
    bonus_minor: number
    payment_minor: number
    profit_minor: number
  }
}
