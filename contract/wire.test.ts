// Registry as a whole: each published operation is declared once, or listed in not-served.ts.
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { group, operationsOf } from './core/group.ts'
import { read, type Spec, write } from './core/operation.ts'
import { operations } from './index.ts'
import { notServed } from './not-served.ts'

const declared = operations.map((op) => `${op.method} ${op.path.replace('/method/', '')}`)
const waiting = notServed.flatMap((one) => one.operations.map(([route]) => route))

test('every operation has its own route', () => {
  const all = [...declared, ...waiting]
  expect(new Set(all).size).toBe(all.length)
})

test('the union of the published snapshots is covered', () => {
  const published = operations.filter((op) => op.provenance !== 'decided')
  expect(published.length + waiting.length).toBe(283)
})

test('a write makes its area stale, unless its group or itself says otherwise', () => {
  const nothing = z.object({})
  const any = {
    name: 'Any',
    input: nothing,
    output: nothing,
    auth: 'none',
    scope: 'any',
    provenance: 'decided',
  } as const
  const drafts = { list: read('', any), add: write('POST', '', any), one: write('POST', 'one', { ...any, stale: [] }) }
  const staleOf = (stale?: ['billing.papers']) =>
    operationsOf(group('help.any', { prefix: 'any', title: 'Any', ...(stale && { stale }) }, drafts)).map(
      (op) => op.stale,
    )
  expect(staleOf()).toEqual([[], ['help'], []])
  expect(staleOf(['billing.papers'])).toEqual([[], ['billing.papers'], []])
  // @ts-expect-error: no read, group or area has this name
  const wrong: Spec<typeof nothing, typeof nothing>['stale'] = ['billing.nothing']
  expect(wrong).toHaveLength(1)
})
