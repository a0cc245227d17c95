// Registry as a whole: each published operation is declared once, or listed in not-served.ts.
import { expect, test } from 'vitest'
import { operations } from './index.ts'
import { notServed } from './not-served.ts'

const declared = operations.map((op) => `${op.method} ${op.path.replace('/method/', '')}`)
const waiting = notServed.flatMap((group) => group.operations.map(([route]) => route))

test('every operation has its own route', () => {
  const all = [...declared, ...waiting]
  expect(new Set(all).size).toBe(all.length)
})

test('the union of the published snapshots is covered', () => {
  const published = operations.filter((op) => op.provenance !== 'decided')
  expect(published.length + waiting.length).toBe(283)
})
