// What a quote says, in parts and in sentences: pure. Money in minor units of the quote's currency.
import type { RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import type { Period } from '#contract/entities/plan.ts'

/** A quote as people ask about it. */
export interface QuoteParts {
  readonly price: number
  /** Comes back for the running and for the queued plan. */
  readonly refundCurrent: number
  readonly refundNext: number
  readonly refund: number
  readonly fromBalance: number
  /** By how much more comes back than it costs. */
  readonly toBalance: number
  /** What the purses do not cover. */
  readonly left: number
  /** What the purchase comes to after refunds: sent with it, so that nothing else is bought than what was shown. */
  readonly quoteTotal: number
  readonly starts: 'now' | 'prolongs' | 'later'
  /** When it starts, or when a queued plan that moves will start; as the server names it. */
  readonly date: string | null
}

/** Takes a quote apart. Figures that a server leaves out are worked out from those that it must send. */
export function quoteParts(quote: RestreamQuote, period: Period): QuoteParts {
  const price = quote.sum ?? (period === 'year' ? quote.tariff_price_year : quote.tariff_price_month)
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

/** A sentence to be translated: its key under `sentence`, and the figures in it. */
export interface Clause {
  readonly key: string
  readonly amount?: number
  readonly date?: string
}

/** The quote in sentences, in the order a person would ask: how much, from what, what is left, from when. */
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
