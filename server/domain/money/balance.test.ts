// Spending order, and refunds by balance type.
import { expect, test } from 'vitest'
import { shareOf, spend } from './balance.ts'

test.each([
  ['nothing', 0, { bonus: 0, payment: 0, profit: 0 }],
  ['what the bonus covers', 300, { bonus: 300, payment: 0, profit: 0 }],
  ['more than the bonus', 700, { bonus: 500, payment: 200, profit: 0 }],
  ['everything', 1000, { bonus: 500, payment: 400, profit: 100 }],
  ['more than there is', 1001, null],
])('spending %s', (_, amount, taken) => {
  expect(spend({ bonus: 500, payment: 400, profit: 100 }, amount)).toEqual(taken)
})

test.each([
  ['the whole is exact', 720, { bonus: 33, payment: 34, profit: 1 }],
  ['half is rounded down in each purse', 360, { bonus: 16, payment: 17, profit: 0 }],
  ['none', 0, { bonus: 0, payment: 0, profit: 0 }],
])('sharing: %s', (_, hours, share) => {
  expect(shareOf({ bonus: 33, payment: 34, profit: 1 }, hours, 720)).toEqual(share)
})
