// Restream plans, slots and quotes as the wire shows them (contract/areas/tariffs/restream.ts).
import type { RestreamOffer, RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import type { Language } from '#contract/core/wire.ts'
import { restreamFeatures } from '#contract/entities/plan-features.ts'
import type { RestreamSlot, RestreamSlots } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import cn from '#locales/cn/service/quotes.json' with { type: 'json' }
import { periodFields } from '#contract/entities/plan.ts'
import en from '#locales/en/service/quotes.json' with { type: 'json' }
import ru from '#locales/ru/service/quotes.json' with { type: 'json' }
import { day, fill } from '#server/core/locale.ts'
import type { Settings } from '#server/core/settings.ts'
import { planOf, presentPlan } from '#server/domain/tariffs/catalog.ts'
import { pricesOf, smallest } from '#server/domain/tariffs/catalog-rules.ts'
import { sumOf } from '#server/domain/money/balance.ts'
import { restreamLine } from '#server/domain/tariffs/lines.ts'
import { offerOf, type Quote } from '#server/domain/tariffs/subscriptions.ts'
import { compare, type Offer } from '#server/domain/tariffs/subscriptions-rules.ts'
import type { Allowance, Slots, Term } from '#server/domain/tariffs/subscriptions-slots.ts'
import { type PeriodTerms, type PlanRow, type Priced, titleIn } from '#server/domain/tariffs/store.ts'

/** The features of the public catalogue. */
export const featureList = restreamFeatures.map((feature) =>
  'unit' in feature ? { name: feature.name, unit: feature.unit } : { name: feature.name },
)

/** Removes the rows of features that a plan or a project does not have, as the published list does. */
const withoutNulls = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as never

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
  // No plan plays own video files.
  custom_video: 0,
  date_end: term.end,
})

/** Facts about a project that decide which plans its catalogue contains, and at which price. */
export interface OfferContext {
  readonly slots: Slots
  /** Null: nothing is bought. */
  readonly running: Offer | null
  readonly currency: Currency
  readonly discounts: PeriodTerms
  readonly config: Pick<Settings, 'recordLimitGb'>
  readonly language: Language
}

/** Returns a plan as one project sees it; a flexible plan at its smallest setting. */
export function presentOffer(
  row: Priced<PlanRow>,
  { slots, running, currency, discounts, config, language }: OfferContext,
): RestreamOffer {
  const plan = presentPlan(row, discounts, config, language)
  const offer = offerOf(restreamLine, planOf(row), smallest(planOf(row)), currency)
  const { before, next, ...own } = presentSlots(slots)
  return {
    plan_restream_id: row.id,
    title: plan.title,
    active: row.active === 1,
    count_channel_max: row.channel_max,
    type: row.type,
    bitrate_max: row.bitrate_max,
    ...withoutNulls({
      count_channel_min: row.channel_min,
      count_channel_step: row.channel_step,
      bitrate_min: row.bitrate_min,
      bitrate_step: row.bitrate_step,
    }),
    index: row.sort_index,
    price: pricesOf(offer.monthly, discounts),
    status: slots.current.planId === row.id ? 'current' : statusOf(running, offer),
    feature: featureList.map((feature, at) => {
      const value = plan[feature.name]
      return { ...feature, type: typeof value as 'number' | 'boolean', value, index: at + 1 }
    }),
    support_custom_channel: row.support_custom_channel === 1,
    custom_video: 0,
    own_tariff: { ...own, ...withoutNulls({ before, next }) },
  }
}

const statusOf = (running: Offer | null, offer: Offer): RestreamOffer['status'] =>
  compare(running, offer) === 'downgrade' ? 'downgrade' : 'upgrade'

/** Returns a quote as the wire shows it. @param useBalance the balance pays what it covers */
export function presentQuote(quote: Quote, language: Language, useBalance: boolean): RestreamQuote {
  const { decision, currency } = quote
  const setting = quote.setting as Allowance
  return {
    ...quoteFields(quote, language, useBalance),
    balance: sumOf(quote.held),
    refund_current: sumOf(decision.refundCurrent),
    refund_after: sumOf(decision.refundNext),
    ...notificationOf(quote, language),
    currency,
    channel: setting.channels,
    bitrate: setting.bitrate,
  }
}

const texts: Readonly<Record<Language, typeof en>> = { en, ru, cn }

/** Returns the balance, and the amount that is due after the refunds. */
export const dueOf = ({ decision, held }: Quote) => ({
  balance: sumOf(held),
  due: Math.max(0, decision.total),
})

/**
 * Returns amounts, the button and the effect. `sum`: the price. The amount due is `sum` less the refunds. With `useBalance`
 * the balance pays as much of it as it covers (`decrease_balance`), and `total` is left to pay. Refunds above the price go
 * to the balance (`refund_balance`).
 */
export function quoteFields(quote: Quote, language: Language, useBalance: boolean) {
  const { decision, prices } = quote
  const { balance, due } = dueOf(quote)
  const fromBalance = useBalance ? Math.min(balance, due) : 0
  return {
    ...periodFields('tariff_price', (period) => prices[period]),
    sum: decision.price,
    ...(quote.off > 0 && { promo_off: quote.off }),
    refund_balance: Math.max(0, -decision.total),
    decrease_balance: fromBalance,
    total: due - fromBalance,
    button_name: texts[language].button[decision.action],
    choose_status: decision.action,
    status: decision.status,
  }
}

/** Returns the sentence about a change that takes effect later; nothing if it is immediate. */
export function notificationOf({ decision, plan, queued }: Quote, language: Language) {
  const { action, start, movedNext } = decision
  const say = texts[language]
  if (action === 'downgrade') {
    const values = { title: titleIn(plan, language), date: day(language, start) }
    return { notification: fill(queued ? say.laterInstead : say.later, values), notification_date: start }
  }
  if (!movedNext) return {}
  return { notification: fill(say.moved, { date: day(language, movedNext.start) }), notification_date: movedNext.start }
}
