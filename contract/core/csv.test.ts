// CSV cells of users and platforms in a spreadsheet.
import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

const lineOf = (value: string) => toCsv(['name'], [[value]]).slice('\uFEFFname\r\n'.length, -2)

test.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  // Spreadsheets of Russia and most of Europe separate cells by semicolons, and a quote in mid-cell has no effect there.
  ['Ann;=1+1', "Ann;'=1+1"],
  ['Ann\n=1+1', `"Ann\n'=1+1"`],
  // Excel in Chinese and Japanese reads full-width signs as formulas.
  ['＝1+1', "'＝1+1"],
])('writes %j as text', (value, cell) => {
  expect(lineOf(value)).toBe(cell)
})

test('leaves other texts and numbers as they are', () => {
  expect(lineOf('Ann; a=b - c@d')).toBe('Ann; a=b - c@d')
  expect(toCsv(['sum'], [[-5]])).toBe('\uFEFFsum\r\n-5\r\n')
})
