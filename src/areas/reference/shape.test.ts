import { expect, test } from 'vitest'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { describe } from '#contract/core/describe.ts'
import { operations } from '#contract/index.ts'
import { limitsOf, shapeOf } from './shape.ts'

test('renders the response of the brief as printed there', () => {
  const lines = shapeOf(describe(restream.slots).answer).split('\n')
  expect(lines.slice(0, 4)).toEqual(['{', '  before?: {', '    id?: integer', '    channel_max?: integer | null'])
  expect(lines).toContain('    date_end?: ISO 8601 UTC | null')
  expect(lines).toContain('  } | null')
})

test('renders lists, enums, records and unknown schemas', () => {
  expect(shapeOf({ type: 'array', items: { enum: ['month', 'year'] } })).toBe('("month" | "year")[]')
  expect(shapeOf({ type: 'array', items: { type: 'string' } })).toBe('string[]')
  expect(shapeOf({ type: 'object', additionalProperties: {} })).toBe('{ [name]: any }')
  expect(shapeOf({})).toBe('any')
})

test('renders response and parameters of every operation', () => {
  for (const op of operations) {
    const { parameters, answer } = describe(op)
    for (const text of [shapeOf(answer), ...parameters.map(({ schema }) => shapeOf(schema))])
      expect(`${op.id} ${text}`).not.toMatch(/undefined|object Object/)
  }
})

test('lists each limit', () => {
  expect(limitsOf({ type: 'integer', minimum: 1, maximum: 100, default: 20 })).toEqual([
    { kind: 'min', value: '1' },
    { kind: 'max', value: '100' },
    { kind: 'default', value: '20' },
  ])
})
