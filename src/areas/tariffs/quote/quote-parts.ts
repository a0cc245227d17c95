// Quote as amounts and sentences; pure functions. Money in minor units of the quote's currency.
import type { RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import type { Period } from '#contract/entities/plan.ts'

/** Amounts and dates of a quote. */
export interface QuoteParts {
  readonly price: number
  /** Refund for the running and the queued plan. */
  readonly refundCurrent: number
  readonly refundNext: number
  readonly refund: number
  readonly fromBalance: number
  /** Amount by which refunds exceed the price. */
  readonly toBalance: number
  /** Amount that the balances do not cover. */
  readonly left: number
  /** Total after refunds, sent with the purchase so that the service rejects any other price. */
  readonly quoteTotal: number
  readonly starts: 'now' | 'prolongs' | 'later'
  /** Start date, or the start of a queued plan that moves, as reported by the server. */
  readonly date: string | null
}

/** Splits a quote into amounts. Derives optional amounts from the required ones. */
export function quoteParts(quote: RestreamQuote, period: Period): QuoteParts {
  const price = quote.sum ?? quote[`tariff_price_${period}`] ?? 0
  const refundCurrent = quote.refund_current ?? 0
  const refundNext = quote.refund_after ?? 0
  const refund = refundCurrent + refundNext
  const due = Math.max(0, price - refund)
  const fromBalance = quote.decrease_balance ?? Math.min(quote.balance, due)
  return {
    price,
    refundCurrent,
    refundNext,
    refund,
    fromBalance,
    toBalance: quote.refund_balance ?? Math.max(0, refund - price),
    left: quote.total ?? due - fromBalance,
    quoteTotal: price - refund,
    starts: startsOf[quote.choose_status],
    date: quote.notification_date ?? null,
  }
}

const startsOf = { new: 'now', upgrade: 'now', prolongate: 'prolongs', downgrade: 'later' } as const

/** Sentence to translate: key below `sentence`, and its values. */
export interface Clause {
  readonly key: string
  readonly amount?: number
  readonly date?: string
}

/** Sentences of a quote, in order: price, source, remainder, start. */
export function quoteClauses(parts: QuoteParts, period: Period): Clause[] {
  return [
    { key: period, amount: parts.price },
    ...some('refundCurrent', parts.refundCurrent),
    ...some('refundNext', parts.refundNext),
    ...some('fromBalance', parts.fromBalance),
    ...some('toBalance', parts.toBalance),
    parts.left > 0 ? { key: 'left', amount: parts.left } : { key: 'nothingLeft' },
    startClause(parts),
    ...(parts.starts === 'prolongs' && parts.date ? [{ key: 'queuedMoves', date: parts.date }] : []),
  ]
}

const some = (key: string, amount: number): Clause[] => (amount > 0 ? [{ key, amount }] : [])

function startClause({ starts, date }: QuoteParts): Clause {
  if (starts === 'now') return { key: 'startsNow' }
  if (starts === 'prolongs') return { key: 'prolongs' }
  return date ? { key: 'startsOn', date } : { key: 'startsLater' }
}
