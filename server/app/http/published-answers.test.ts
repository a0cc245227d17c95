// Every served operation, called with the parameters that a published description requires and no others, gives a response
// of the published shape. Exceptions and their reasons: contract/published-exceptions.ts.
import { beforeAll, expect, test } from 'vitest'
import { exceptionOf } from '#contract/published-answers.ts'
import { exceptions, neverSent } from '#contract/published-exceptions.ts'
import { PublishedCalls } from '#server/testing/published-calls.ts'
import { callEverything, published } from '#server/testing/published-stage.ts'

const calls = new PublishedCalls()

beforeAll(() => callEverything(calls))

test('every operation was called', () => {
  expect(published.filter((op) => !calls.wasCalled(op)).map(({ id }) => id)).toEqual([])
})

/** Operations of plans and billing, for the name of their check. */
const isMoney = (id: string) => /^(billing|tariffs)\./.test(id)
const named = published.map((op) => [isMoney(op.id) ? `billing check 3: ${op.id}` : op.id, op] as const)

test.each(named)('%s answers as published, but for its exceptions', (_name, op) => {
  const { id } = op
  const known = Object.keys(exceptions[id] ?? {})
  const found = calls.deviationsOf(op).map((one) => exceptionOf(op, one) ?? one)
  expect([...new Set(found)].toSorted()).toEqual(known.toSorted())
  expect(calls.emptyOf(op)).toEqual(Object.keys(neverSent[id] ?? {}).toSorted())
})

test('exceptions name operations that exist', () => {
  const ids = new Set(published.map(({ id }) => id))
  expect(Object.keys({ ...exceptions, ...neverSent }).filter((id) => !ids.has(id))).toEqual([])
})
