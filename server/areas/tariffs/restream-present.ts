// Restream plans, slots and quotes as the wire shows them (contract/areas/tariffs/restream.ts).
import type { RestreamOffer, RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import type { Language } from '#contract/core/wire.ts'
import { restreamFeatures } from '#contract/entities/plan-features.ts'
import type { RestreamSlot, RestreamSlots } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import type { Settings } from '#server/core/settings.ts'
import { planOf, presentPlan } from '#server/domain/tariffs/catalog.ts'
import { smallest } from '#server/domain/tariffs/catalog-rules.ts'
import { sumOf } from '#server/domain/money/balance.ts'
import { restreamLine } from '#server/domain/tariffs/lines.ts'
import { offerOf, pricesOf, type Quote } from '#server/domain/tariffs/subscriptions.ts'
import { compare, type Offer, type Action } from '#server/domain/tariffs/subscriptions-rules.ts'
import type { Allowance, Slots, Term } from '#server/domain/tariffs/subscriptions-slots.ts'
import type { PeriodTerms, PlanRow } from '#server/domain/tariffs/store.ts'

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
}

/** Returns a plan as one project sees it; a flexible plan at its smallest setting. */
export function presentOffer(
  row: PlanRow,
  { slots, running, currency, discounts, config }: OfferContext,
): RestreamOffer {
  const plan = presentPlan(row, discounts, config)
  const offer = offerOf(restreamLine, planOf(row), smallest(planOf(row)), currency)
  const { before, next, ...own } = presentSlots(slots)
  return {
    plan_restream_id: row.id,
    title: row.title,
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

interface Texts {
  readonly button: Readonly<Record<Action, string>>
  /** A lower plan starts when the running one ends. */
  readonly later: (title: string, date: string) => string
  /** The same, replacing a queued plan. */
  readonly laterInstead: (title: string, date: string) => string
  /** An extension moves the queued plan. */
  readonly moved: (date: string) => string
}

export const texts: Readonly<Record<Language, Texts>> = {
  en: {
    button: { new: 'Buy', prolongate: 'Extend', upgrade: 'Upgrade now', downgrade: 'Switch later' },
    later: (title, date) => `${title} starts on ${date}, when the current period ends.`,
    laterInstead: (title, date) =>
      `${title} starts on ${date}, when the current period ends. It replaces the plan queued now.`,
    moved: (date) => `The queued plan then starts on ${date}.`,
  },
  ru: {
    button: { new: 'Купить', prolongate: 'Продлить', upgrade: 'Перейти сейчас', downgrade: 'Перейти позже' },
    later: (title, date) => `Тариф ${title} начнёт действовать ${date}, когда закончится текущий период.`,
    laterInstead: (title, date) =>
      `Тариф ${title} начнёт действовать ${date}, когда закончится текущий период. Он заменит тариф, который сейчас стоит следующим.`,
    moved: (date) => `Следующий тариф сдвинется и начнёт действовать ${date}.`,
  },
  cn: {
    button: { new: '购买', prolongate: '续期', upgrade: '立即升级', downgrade: '到期后切换' },
    later: (title, date) => `${title} 套餐将在当前周期结束时（${date}）生效。`,
    laterInstead: (title, date) => `${title} 套餐将在当前周期结束时（${date}）生效，并取代目前已预订的套餐。`,
    moved: (date) => `已预订的套餐将顺延至 ${date} 生效。`,
  },
}

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', ru: 'ru-RU', cn: 'zh-CN' }

/** Formats a date for a sentence, in UTC. */
export const day = (at: string, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at))

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
    tariff_price_month: prices.month,
    tariff_price_year: prices.year,
    sum: decision.price,
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
    const sentence = queued ? say.laterInstead : say.later
    return { notification: sentence(plan.title, day(start, language)), notification_date: start }
  }
  if (!movedNext) return {}
  return { notification: say.moved(day(movedNext.start, language)), notification_date: movedNext.start }
}
