import { describe, expect, test } from 'vitest'
import type { RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import { quoteClauses, quoteParts } from './quote-parts.ts'

const quote: RestreamQuote = {
  tariff_price_month: 1_190,
  tariff_price_year: 12_852,
  balance: 18_000,
  sum: 1_190,
  refund_current: 0,
  refund_after: 0,
  refund_balance: 0,
  decrease_balance: 1_190,
  total: 0,
  button_name: 'pay',
  currency: 'usd',
  choose_status: 'new',
  status: 'new',
}
const keys = (from: RestreamQuote) => quoteClauses(quoteParts(from, 'month'), 'month').map(({ key }) => key)

describe('parts', () => {
  test('adds both refunds of an upgrade, and the total sent with the purchase', () => {
    const parts = quoteParts(
      {
        ...quote,
        choose_status: 'upgrade',
        sum: 2_990,
        refund_current: 595,
        refund_after: 490,
        decrease_balance: 1_905,
      },
      'month',
    )
    expect(parts).toMatchObject({ price: 2_990, refund: 1_085, fromBalance: 1_905, left: 0, quoteTotal: 1_905 })
    expect(parts.starts).toBe('now')
  })
  test('returns a negative total to the balance', () => {
    const parts = quoteParts(
      { ...quote, sum: 490, refund_current: 12_000, refund_balance: 11_510, decrease_balance: 0 },
      'month',
    )
    expect(parts).toMatchObject({ toBalance: 11_510, fromBalance: 0, left: 0, quoteTotal: -11_510 })
  })
  test('derives missing amounts from required ones', () => {
    const { sum: _, refund_current: __, refund_after: ___, refund_balance: ____, ...rest } = quote
    const { decrease_balance: _____, total: ______, ...least } = rest
    expect(quoteParts({ ...least, balance: 10_000 }, 'year')).toMatchObject({
      price: 12_852,
      fromBalance: 10_000,
      left: 2_852,
      quoteTotal: 12_852,
    })
  })
})

describe('sentences', () => {
  test('describes a first plan: price, balance, nothing left, now', () => {
    expect(keys(quote)).toEqual(['month', 'fromBalance', 'nothingLeft', 'startsNow'])
  })
  test('names the amount that the balance does not cover', () => {
    const clauses = quoteClauses(quoteParts({ ...quote, decrease_balance: 1_000, total: 190 }, 'month'), 'month')
    expect(clauses).toContainEqual({ key: 'left', amount: 190 })
  })
  test('starts a downgrade on a date, and extends the end of a prolongation', () => {
    const date = '2026-12-21T06:00:00.000Z'
    expect(
      quoteClauses(quoteParts({ ...quote, choose_status: 'downgrade', notification_date: date }, 'month'), 'month'),
    ).toContainEqual({ key: 'startsOn', date })
    expect(keys({ ...quote, choose_status: 'downgrade' })).toContain('startsLater')
    expect(keys({ ...quote, choose_status: 'prolongate' }).at(-1)).toBe('prolongs')
    expect(keys({ ...quote, choose_status: 'prolongate', notification_date: date }).at(-1)).toBe('queuedMoves')
  })
})
