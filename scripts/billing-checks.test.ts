// Acceptance checks of billing: each number is the name of a test in every file that docs/testing.md lists for it.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Rows of the table: number, files. */
const rows = [...readFileSync('docs/testing.md', 'utf8').matchAll(/^\| +(\d+) +\|[^|]*\|([^|]*)\|$/gm)].map(
  ([, number, files = '']) => ({ number: Number(number), files: [...files.matchAll(/`([^`]+)`/g)].map(([, f]) => f) }),
)

test('lists the checks 1 to 15', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 15 }, (_, at) => at + 1))
})

test.each(rows)('billing check $number has its tests', ({ number, files }) => {
  expect(files).not.toEqual([])
  const named = new RegExp(`['"\`]billing check ${number}[:,]`)
  expect(files.filter((file) => !named.test(readFileSync(file ?? '', 'utf8')))).toEqual([])
})
