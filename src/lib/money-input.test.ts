import { expect, test } from 'vitest'
import { moneyText, parseMoney } from './money-input.ts'

test.each([
  ['0', 0],
  ['1290', 129_000],
  ['1 290,5', 129_050],
  ['9.90', 990],
  ['0.07', 7],
  ['-4.20', -420],
  ['−4', -400],
  ['', null],
  ['-', null],
  ['1.234', null],
  ['4 $', null],
  ['1e3', null],
  ['9'.repeat(13), null],
])('reads %j as %j', (text, amount) => {
  expect(parseMoney(text)).toBe(amount)
})

test.each([0, 7, 990, 129_000, 129_050])('reads the text of %i minor units as the same amount', (amount) => {
  expect(parseMoney(moneyText(amount))).toBe(amount)
})
