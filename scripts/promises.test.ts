// Promises of docs/promises.md: each names a test that exists, by its file and a part of its title.
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('docs/promises.md', 'utf8')
const [shown = '', notShown = ''] = page.split('## Not shown yet')

/** Rows of the table: a promise, its bound, and the test. */
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))

/** Returns why a row is not shown; empty: it is. */
function lackOf([, promise = '', bound = '', by = '']: readonly string[]): string {
  const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(by) ?? []
  if (promise === '' || bound === '') return 'a row lacks its promise or its bound'
  if (!existsSync(file)) return `${promise}: ${file || by} does not exist`
  const isThere = title !== '' && readFileSync(file, 'utf8').includes(title)
  return isThere ? '' : `${promise}: ${file} has no test "${title}"`
}

test('each promise names a test that exists', () => {
  const rows = rowsOf(shown)
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.map(lackOf).filter(Boolean)).toEqual([])
})

test('finds a promise without a test', () => {
  expect(lackOf(['', 'It holds', '1 s', '`scripts/missing.test.ts`: holds', ''])).toContain('does not exist')
  expect(lackOf(['', 'It holds', '1 s', '`scripts/promises.test.ts`: holds for ' + 'ever', ''])).toContain(
    'has no test',
  )
  expect(lackOf(['', 'It holds', '', '`scripts/promises.test.ts`: finds', ''])).toContain('lacks')
})

test('what is not shown names no test', () => {
  expect(notShown).toMatch(/^- /m)
  expect(notShown).not.toMatch(/\.test\.ts/)
})
