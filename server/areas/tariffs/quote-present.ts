// Fields of a quote that the operations `check` of all lines share.
import type { Language } from '#contract/core/wire.ts'
import { sumOf } from '#server/domain/money/balance.ts'
import type { Quote } from '#server/domain/tariffs/subscriptions.ts'
import { day, texts } from './restream-texts.ts'

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
