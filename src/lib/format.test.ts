import { describe, expect, test } from 'vitest'
import {
  formatBitrate,
  formatMinutes,
  formatDate,
  formatDateTime,
  formatForeignMoney,
  formatMoney,
  formatNumber,
  formatPercent,
  formatRelative,
  formatUtc,
} from './format.ts'

// Intl writes no-break spaces of several widths; users see a space.
const plain = (text: string) => text.replaceAll(/[\u00A0\u202F\u2009]/g, ' ')

const now = Date.parse('2026-11-21T06:00:00.000Z')
const after = (ms: number) => new Date(now + ms).toISOString()
const hour = 3_600_000
const day = 24 * hour

describe('money', () => {
  test('formats minor units in the currency of the project', () => {
    expect(plain(formatMoney(12_852, 'usd', 'en'))).toBe('$128.52')
    expect(plain(formatMoney(12_852, 'usd', 'ru'))).toBe('128,52 $')
    expect(plain(formatMoney(1_500_000, 'rub', 'ru'))).toBe('15 000,00 ₽')
    expect(plain(formatMoney(1_500_000, 'rub', 'cn'))).toBe('₽15,000.00')
  })
  test('formats zero and negative amounts', () => {
    expect(formatMoney(0, 'usd', 'en')).toBe('$0.00')
    expect(formatMoney(-5, 'usd', 'en')).toBe('-$0.05')
  })
  test('shows the number alone without a currency', () => {
    expect(formatMoney(1_190, null, 'en')).toBe('11.90')
    expect(formatForeignMoney(1_190, '', 'en')).toBe('11.90')
  })
  test('formats another currency by its code, with its decimals', () => {
    expect(plain(formatForeignMoney(2_300, 'eur', 'ru'))).toBe('23,00 EUR')
    expect(plain(formatForeignMoney(100_000_000, 'jpy', 'en'))).toBe('JPY 1,000,000')
    expect(plain(formatForeignMoney(2_300, 'eur', 'cn'))).toBe('EUR 23.00')
  })
})

describe('bitrate', () => {
  test('shows kbps as received', () => {
    expect(formatBitrate(20_000, 'en')).toBe('20,000\u00A0kbps')
    expect(plain(formatBitrate(12_500, 'ru'))).toBe('12 500 кбит/\u2060с')
  })
  test('shows 0 as 0', () => {
    expect(plain(formatBitrate(0, 'en'))).toBe('0 kbps')
  })
})

test.each([
  [1, '1 minute', '1 минута', '1分钟'],
  [45, '45 minutes', '45 минут', '45分钟'],
  [60, '1 hour', '1 час', '1小时'],
  [90, '90 minutes', '90 минут', '90分钟'],
  [1440, '24 hours', '24 часа', '24小时'],
] as const)('shows %i minutes in the larger unit that fits', (minutes, ...texts) => {
  expect((['en', 'ru', 'cn'] as const).map((language) => plain(formatMinutes(minutes, language)))).toEqual(texts)
})

describe('numbers', () => {
  test('formats whole numbers and percent in the language', () => {
    expect(formatNumber(100_000, 'en')).toBe('100,000')
    expect(plain(formatPercent(10, 'ru'))).toBe('10 %')
    expect(formatPercent(10, 'cn')).toBe('10%')
  })
})

describe('dates', () => {
  test('shows exact UTC, with milliseconds only when they are not zero', () => {
    expect(formatUtc('2026-12-21T06:00:00.000Z')).toBe('2026-12-21 06:00:00 UTC')
    expect(formatUtc('2026-12-21T06:00:00.120Z')).toBe('2026-12-21 06:00:00.120 UTC')
    expect(formatUtc('2026-12-21T09:00:00+03:00')).toBe('2026-12-21 06:00:00 UTC')
  })
  test('formats local time in the three languages', () => {
    expect(formatDate('2026-12-21T12:00:00Z', 'en')).toBe('21 Dec 2026')
    expect(plain(formatDate('2026-12-21T12:00:00Z', 'ru'))).toBe('21 дек. 2026 г.')
    expect(formatDate('2026-12-21T12:00:00Z', 'cn')).toBe('2026年12月21日')
    expect(formatDateTime('2026-12-21T12:00:00Z', 'en')).toMatch(/^21 Dec 2026, \d\d:\d\d$/)
  })
  test.each([
    [12 * day, 'in 12 days', 'через 12 дней', '12天后'],
    [30 * day - 5_000, 'in 30 days', 'через 30 дней', '30天后'],
    [21 * day, 'in 21 days', 'через 21 день', '21天后'],
    [-2 * day, '2 days ago', '2 дня назад', '2天前'],
    [5 * hour, 'in 5 hours', 'через 5 часов', '5小时后'],
    [40 * 60_000, 'in 40 minutes', 'через 40 минут', '40分钟后'],
    [-4_000, 'now', 'сейчас', '现在'],
    [365 * day, 'in 12 months', 'через 12 месяцев', '12个月后'],
  ])('%i ms away', (ms, en, ru, cn) => {
    expect(formatRelative(after(ms), now, 'en')).toBe(en)
    expect(plain(formatRelative(after(ms), now, 'ru'))).toBe(ru)
    expect(formatRelative(after(ms), now, 'cn')).toBe(cn)
  })
})
