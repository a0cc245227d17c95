// Tables of money and tariffs. Money in minor units, bitrates in kbps, storage in GB, times as ISO 8601 text in UTC.
import type { Generated } from 'kysely'
import type { Language } from '#contract/core/wire.ts'
import type { MoneyFlowType } from '#contract/entities/money.ts'
import type { LineName, Period, PlanType, RestreamPlan } from '#contract/entities/plan.ts'
import type { PricePart } from '#contract/entities/plan-fields.ts'
import type { Currency } from '#contract/entities/project.ts'

type Flag = 0 | 1

/** Money. */
export interface LedgerTables {
  /** Balances of projects by type: the sums of their ledger entries. Concurrent changes wait for the lock of the row. */
  wallets: {
    project_id: number
    bonus_minor: number
    payment_minor: number
    profit_minor: number
    /** Owed after a chargeback of money that was spent. */
    debt_minor: Generated<number>
  }
  /** A movement of money, whose entries sum to zero. Rows are never changed or removed. */
  ledger_transactions: {
    id: Generated<number>
    uuid: string
    project_id: number
    type: MoneyFlowType
    /** Unique per project: a key books once. */
    idempotency_key: string | null
    /** Request under the key, to detect a reused key. */
    request: string | null
    /** Purpose, as JSON. */
    details: string | null
    date_create: string
    /** Acting user; null where the service acts. */
    user_id: number | null
    payment_id: number | null
    payout_id: number | null
    /** Project whose payment earned a referral profit. */
    referral_id: number | null
  }
  ledger_entries: {
    id: Generated<number>
    transaction_id: number
    project_id: number
    /** A balance type (`bonus`, `payment`, `profit`), or a counter account (server/domain/money/accounts.ts). */
    account: string
    /** Change of the account; negative when money leaves it. */
    amount_minor: number
    currency: Currency
    /** For a balance type: its amount before the entry; for `receivable`: the debt as a negative amount; else null. */
    balance_before_minor: number | null
  }
}

/** Catalogues and subscriptions. */
export interface TariffTables {
  restream_plans: {
    id: number
    title: string
    type: PlanType
    /** 1: for sale. */
    active: Flag
    /** 1: in the public catalogue. */
    listed: Flag
    sort_index: number
    channel_min: number | null
    channel_max: number
    channel_step: number | null
    bitrate_min: number | null
    bitrate_max: number
    bitrate_step: number | null
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
  /**
   * Monthly prices of the plans of all lines (migration 0063). Without a price of `base` a plan is not for sale in the
   * currency; a step without a price adds nothing.
   */
  prices: { line: LineName; plan_id: number; part: PricePart; currency: Currency; minor: number }
  /** Names of plans by language (migration 0072). In a language without a row a plan has its `title`. */
  plan_titles: { line: LineName; plan_id: number; language: Language; title: string }
  /** Projects that may see and buy an unlisted plan. */
  plan_projects: { line: LineName; plan_id: number; project_id: number }
  /** Periods that plans are sold for (migration 0058). `active` 0: bought plans continue, and no project buys another one. */
  periods: { name: Period; active: Flag; sort_index: number }
  /** Percent off the price of a period, by product line (migration 0079); none without a row. */
  period_discounts: { line: LineName; period: Period; percent: number }
  /** Transcoding plans. Prices are per flow. */
  transcoding_plans: {
    id: number
    title: string
    type: 'free' | 'paid_month' | 'custom'
    active: Flag
    listed: Flag
    sort_index: number
    resolution: RestreamPlan['resolution']
    fps: RestreamPlan['fps']
    /** Load of a flow on a server, compared with the other plans. */
    weight: number
    /** Most flows that a project may buy. */
    count_max: number
  }
  /** Storage plans. Prices are per GB. */
  storage_plans: {
    id: number
    title: string
    active: Flag
    listed: Flag
    sort_index: number
    /** GB. */
    size_min: number
    size_max: number
    size_step: number
  }
  /** A bought plan of a project without interruption, with the allowance that was sold. */
  plan_terms: {
    id: Generated<number>
    project_id: number
    line: LineName
    /** Row of the line's catalogue. */
    plan_id: number
    /** Sold allowance as JSON: a later catalogue does not change it. */
    allowance: string
    date_create: string
    date_start: string
    /** Changes when the term is prolonged or cut short. */
    date_end: string
    /** Time of a cancellation or replacement before the start. */
    date_cancel: string | null
    /** Time when its end was handled. */
    date_rolled: string | null
  }
  /** A part of a term that was paid in one purchase, with the amount by balance type. */
  plan_periods: {
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
  /** Lines whose plan is renewed automatically. */
  plan_renewals: { project_id: number; line: LineName; date_create: string }
  /** Notices about the end of a term: one of each kind for each end, because a prolongation moves the end. */
  plan_notices: { term_id: number; kind: string; date_end: string; date_create: string }
  /** Projects whose oldest recordings are removed at a date, because they exceed the storage; dates of the notices. */
  storage_removals: { project_id: number; date_remove: string; date_week: string | null; date_day: string | null }
}
