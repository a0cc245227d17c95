// Restream plans, slots and quotes as the wire shows them (contract/areas/tariffs/restream.ts).
import type { RestreamOffer, RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import type { Language } from '#contract/core/wire.ts'
import type { featureNames, RestreamSlot, RestreamSlots } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import { planOf, type PlanRow } from '#server/domain/catalog.ts'
import { type Discounts, smallest } from '#server/domain/catalog-rules.ts'
import { sumOf } from '#server/domain/ledger-purses.ts'
import { offerOf, pricesOf, type Quote } from '#server/domain/subscriptions.ts'
import { compare, type Offer } from '#server/domain/subscriptions-rules.ts'
import type { Slots, Term } from '#server/domain/subscriptions-slots.ts'
import { day, texts } from './restream-texts.ts'

type Value = string | number | boolean | null

/** What plans are compared by, in the order of the page: the published names, where each is kept, and its unit. */
const features: readonly { name: (typeof featureNames)[number]; unit?: string; of: (row: PlanRow) => Value }[] = [
  { name: 'count_channel_max', of: (row) => row.channel_max },
  { name: 'bitrate_max', unit: 'kbps', of: (row) => row.bitrate_max },
  { name: 'resolution', of: (row) => row.resolution },
  { name: 'create_projects', of: (row) => row.create_projects === 1 },
  { name: 'chat', of: (row) => row.chat === 1 },
  { name: 'video', of: (row) => row.video === 1 },
  { name: 'video_storage', unit: 'GB', of: (row) => row.video_storage ?? 0 },
  { name: 'change_subject', of: (row) => row.change_subject === 1 },
  { name: 'background_chat', of: (row) => row.background_chat === 1 },
  { name: 'dedicated_server', of: (row) => row.dedicated_server === 1 },
  { name: 'personal_manager', of: (row) => (row.personal_manager ?? 0) > 0 },
  { name: 'support_custom_channel', of: (row) => row.support_custom_channel === 1 },
]

/** The features of the public catalogue. */
export const featureList = features.map(({ name, unit }) => (unit === undefined ? { name } : { name, unit }))

/** The three slots; `date_start` belongs to `next` alone (published). */
export const presentSlots = ({ before, current, next }: Slots): RestreamSlots => ({
  before: before && presentSlot(before),
  current: presentSlot(current),
  next: next && { ...presentSlot(next), date_start: next.start },
})

const presentSlot = (term: Term): RestreamSlot => ({
  id: term.planId,
  channel_max: term.channels,
  bitrate_max: term.bitrate,
  support_custom_channel: term.customChannels,
  custom_video: term.customVideo,
  date_end: term.end,
})

/** What a project needs to know to see a plan as its own catalogue shows it. */
export interface Onlooker {
  readonly slots: Slots
  readonly running: Offer
  readonly currency: Currency
  readonly discounts: Discounts
}

/** A plan as one project sees it; a flexible one at its smallest setting. */
export function presentOffer(row: PlanRow, { slots, running, currency, discounts }: Onlooker): RestreamOffer {
  const offer = offerOf(planOf(row), smallest(planOf(row)), currency)
  return {
    plan_restream_id: row.id,
    title: row.title,
    active: row.active === 1,
    count_channel_min: row.channel_min,
    count_channel_max: row.channel_max,
    count_channel_step: row.channel_step,
    type: row.type,
    bitrate_max: row.bitrate_max,
    bitrate_min: row.bitrate_min,
    bitrate_step: row.bitrate_step,
    index: row.sort_index,
    price: pricesOf(offer.monthly, discounts),
    status: statusOf(running, offer),
    feature: features.map(({ name, unit, of }, at) => {
      const value = of(row)
      const common = { name, type: typeof value as 'string' | 'number' | 'boolean', value, index: at + 1 }
      return unit === undefined ? common : { ...common, unit }
    }),
    support_custom_channel: row.support_custom_channel === 1,
    custom_video: row.custom_video,
    own_tariff: presentSlots(slots),
  }
}

function statusOf(running: Offer, offer: Offer): RestreamOffer['status'] {
  if (running.planId === offer.planId) return 'current'
  return compare(running, offer) === 'downgrade' ? 'downgrade' : 'upgrade'
}

/**
 * A quote. `sum` is the price; less the refunds it is what is due. What is due comes from the purses when `useBalance`
 * is set, as far as they go (`decrease_balance`), and the rest is left to pay (`total`). When the refunds are more than
 * the price, the difference goes to the purses (`refund_balance`).
 */
export function presentQuote(quote: Quote, language: Language, useBalance: boolean): RestreamQuote {
  const { decision, prices, setting, currency } = quote
  const balance = sumOf(quote.held)
  const due = Math.max(0, decision.total)
  const fromBalance = useBalance ? Math.min(balance, due) : 0
  return {
    tariff_price_month: prices.month,
    tariff_price_year: prices.year,
    balance,
    sum: decision.price,
    refund_current: sumOf(decision.refundCurrent),
    refund_after: sumOf(decision.refundNext),
    refund_balance: Math.max(0, -decision.total),
    decrease_balance: fromBalance,
    total: due - fromBalance,
    ...notification(quote, language),
    button_name: texts[language].button[decision.action],
    currency,
    choose_status: decision.action,
    status: decision.status,
    channel: setting.channels,
    bitrate: setting.bitrate,
  }
}

/** What happens later than now is said in a sentence. */
function notification({ decision, plan, queued }: Quote, language: Language) {
  const { action, start, movedNext } = decision
  const say = texts[language]
  if (action === 'downgrade') {
    const sentence = queued ? say.laterInstead : say.later
    return { notification: sentence(plan.title, day(start, language)), notification_date: start }
  }
  if (!movedNext) return {}
  return { notification: say.moved(day(movedNext.start, language)), notification_date: movedNext.start }
}
