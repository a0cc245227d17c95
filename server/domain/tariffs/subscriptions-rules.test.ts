// State machine of the slots without a database: every rule with its figures. Periods of 30 days = 720 hours.
import { describe, expect, test } from 'vitest'
import { compare, decide, type Offer, type Purchase } from './subscriptions-rules.ts'
import { type BoughtTerm, movedTo, slotsAt, unusedOf } from './subscriptions-slots.ts'

const start = '2026-11-01T00:00:00.000Z'
const middle = '2026-11-16T00:00:00.000Z'
const end = '2026-12-01T00:00:00.000Z'
const nextEnd = '2027-01-01T00:00:00.000Z'

const free = { planId: 1, channels: 2, bitrate: 10_000, customChannels: false, customVideo: 0 }
const term = (id: number, planId: number, from: string, to: string, [bonus, payment] = [0, 0]): BoughtTerm => ({
  ...free,
  id,
  planId,
  start: from,
  end: to,
  periods: [{ period: 'month', start: from, end: to, paid: { bonus, payment, profit: 0 } }],
})
const pro = term(1, 3, start, end, [60_000, 39_000])
const queued = term(2, 2, end, nextEnd, [0, 39_000])

const offer = (planId: number, monthly: number, more: Partial<Offer> = {}): Offer => ({
  planId,
  monthly,
  order: [10, 20_000],
  index: planId * 10,
  ...more,
})
const [startOffer, proOffer, businessOffer] = [offer(2, 39_000), offer(3, 99_000), offer(4, 249_000)]

describe('slots at a moment', () => {
  test.each([
    ['nothing bought', [], middle, [null, { planId: 1, start: null, end: null }, null]],
    ['before the first plan', [pro], '2026-10-31T23:59:59.999Z', [null, { planId: 1, end: null }, { planId: 3 }]],
    ['at its first moment', [pro], start, [{ planId: 1, start: null, end: start }, { planId: 3 }, null]],
    ['at its last moment', [pro, queued], '2026-11-30T23:59:59.999Z', [{ planId: 1 }, { planId: 3 }, { planId: 2 }]],
    ['at its end, with a queued plan', [pro, queued], end, [{ planId: 3, end }, { planId: 2, start: end }, null]],
    ['at its end, with nothing queued', [pro], end, [{ planId: 3 }, { planId: 1, start: end, end: null }, null]],
    ['after both', [pro, queued], nextEnd, [{ planId: 2 }, { planId: 1, start: nextEnd, end: null }, null]],
    [
      'bought again after a gap',
      [pro, term(3, 2, nextEnd, '2027-02-01T00:00:00.000Z')],
      nextEnd,
      [{ planId: 1, start: end, end: nextEnd }, { planId: 2 }, null],
    ],
    [
      'replaced at once',
      [term(1, 2, start, start), term(2, 3, start, end)],
      start,
      [{ planId: 2 }, { planId: 3 }, null],
    ],
  ])('%s', (_, terms, now, [before, current, next]) => {
    expect(slotsAt(terms, free, now)).toMatchObject({ before, current, next })
  })
})

describe('refund of a term', () => {
  test.each([
    ['within the first hour: everything', '2026-11-01T00:30:00.000Z', { bonus: 60_000, payment: 39_000 }],
    ['after an hour: 719 of 720', '2026-11-01T01:00:00.000Z', { bonus: 59_916, payment: 38_945 }],
    ['in the middle: half', middle, { bonus: 30_000, payment: 19_500 }],
    ['in its last hour: 1 of 720', '2026-11-30T23:10:00.000Z', { bonus: 83, payment: 54 }],
    ['at its end: nothing', end, { bonus: 0, payment: 0 }],
  ])('%s', (_, now, refund) => {
    expect(unusedOf(pro, now)).toEqual({ ...refund, profit: 0 })
  })

  test('refunds a prolonged term: part of the running period, all later ones, each by its own price', () => {
    const prolonged = { ...pro, end: nextEnd, periods: [...pro.periods, ...queued.periods] }
    expect(unusedOf(prolonged, middle)).toEqual({ bonus: 30_000, payment: 58_500, profit: 0 })
  })
})

describe('comparing', () => {
  const flexible = offer(5, 149_000, { order: [20, 30_000] })
  test.each([
    ['anything with the free plan', null, startOffer, 'new'],
    ['a plan that costs more', startOffer, proOffer, 'upgrade'],
    ['a plan that costs less', proOffer, startOffer, 'downgrade'],
    ['the same price, later in the catalogue', proOffer, offer(4, 99_000), 'upgrade'],
    ['the same price, earlier in the catalogue', offer(4, 99_000), proOffer, 'downgrade'],
    ['a large setting with a fixed plan', businessOffer, offer(5, 300_000), 'upgrade'],
    ['a small setting with a fixed plan', businessOffer, flexible, 'downgrade'],
    ['the same setting', flexible, flexible, 'current'],
    ['more channels', flexible, { ...flexible, order: [25, 30_000], monthly: 169_000 }, 'current_upgrade'],
    ['fewer channels', flexible, { ...flexible, order: [15, 30_000], monthly: 129_000 }, 'current_downgrade'],
    [
      'more channels, less bitrate, dearer',
      flexible,
      { ...flexible, order: [30, 20_000], monthly: 160_000 },
      'current_upgrade',
    ],
    ['more channels, less bitrate, same price', flexible, { ...flexible, order: [25, 20_000] }, 'current_upgrade'],
    ['less bitrate at the same price', flexible, { ...flexible, order: [20, 20_000] }, 'current_downgrade'],
  ])('%s', (_, running, chosen, status) => {
    expect(compare(running, chosen)).toBe(status)
  })
})

describe('buying', () => {
  const buy = (terms: BoughtTerm[], now: string, running: Offer | null, chosen: Offer, more: Partial<Purchase> = {}) =>
    decide({ slots: slotsAt(terms, free, now), running, chosen, period: 'month', price: chosen.monthly, now, ...more })

  test.each([
    [
      'the first plan starts now',
      [],
      null,
      startOffer,
      { action: 'new', total: 39_000, start: middle, end: '2026-12-16T00:00:00.000Z' },
    ],
    [
      'the same plan: its end moves by a month',
      [pro],
      proOffer,
      proOffer,
      { action: 'prolongate', status: 'current', total: 99_000, start: end, end: nextEnd, movedNext: null },
    ],
    [
      'a higher plan starts now, half of the running one comes back',
      [pro],
      proOffer,
      businessOffer,
      { action: 'upgrade', total: 249_000 - 49_500, start: middle, end: '2026-12-16T00:00:00.000Z' },
    ],
    [
      'a higher plan takes the queued one away, which comes back whole',
      [pro, queued],
      proOffer,
      businessOffer,
      { action: 'upgrade', refundNext: { bonus: 0, payment: 39_000, profit: 0 }, total: 249_000 - 49_500 - 39_000 },
    ],
    [
      'a lower plan is queued for the end of the running one',
      [pro],
      proOffer,
      startOffer,
      { action: 'downgrade', total: 39_000, start: end, end: nextEnd },
    ],
    [
      'a lower plan replaces a queued one, which comes back whole',
      [pro, queued],
      proOffer,
      startOffer,
      { action: 'downgrade', total: 0, refundCurrent: { bonus: 0, payment: 0, profit: 0 }, start: end, end: nextEnd },
    ],
    [
      'an upgrade that costs less than what comes back',
      [pro, queued],
      proOffer,
      offer(4, 99_000),
      { action: 'upgrade', total: 99_000 - 49_500 - 39_000 },
    ],
  ])('%s', (_, terms, running, chosen, expected) => {
    expect(buy(terms, middle, running, chosen)).toMatchObject(expected)
  })

  test('prolonging moves the queued plan to the new end and keeps its length', () => {
    const decision = buy([pro, queued], middle, proOffer, proOffer)
    expect(decision).toMatchObject({
      total: 99_000,
      movedNext: { id: 2, start: nextEnd, end: '2027-02-01T00:00:00.000Z', periods: [{ paid: { payment: 39_000 } }] },
    })
  })

  test('ends a term of the 31st on the last day of short months, and on the 31st again after a prolongation', () => {
    const january = '2027-01-31T12:00:00.000Z'
    const short = term(1, 3, january, '2027-02-28T12:00:00.000Z', [99_000, 0])
    expect(buy([short], january, proOffer, proOffer)).toMatchObject({
      start: '2027-02-28T12:00:00.000Z',
      end: '2027-03-31T12:00:00.000Z',
    })
  })

  test('refuses an end more than 36 months ahead', () => {
    const year = (terms: BoughtTerm[]) => buy(terms, start, proOffer, proOffer, { period: 'year' })
    const years = (count: number): BoughtTerm => {
      const paid = { period: 'year', start, end, paid: { bonus: 1, payment: 0, profit: 0 } } as const
      return movedTo({ ...pro, periods: Array.from({ length: count }, () => paid) }, start)
    }
    expect(year([years(2)])).toMatchObject({ end: '2029-11-01T00:00:00.000Z' })
    expect(year([years(3)])).toEqual({ refused: 'ProlongationLimit', endMax: '2029-11-01T00:00:00.000Z' })
  })
})
