import { expect, test } from 'vitest'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { describe } from '#contract/core/describe.ts'
import { operations } from '#contract/index.ts'
import { limitsOf, shapeOf } from './shape.ts'

test('the answer of the brief reads as it stands there', () => {
  const lines = shapeOf(describe(restream.slots).answer).split('\n')
  expect(lines.slice(0, 4)).toEqual(['{', '  before?: {', '    id?: integer', '    channel_max?: integer | null'])
  expect(lines).toContain('    date_end?: ISO 8601 UTC | null')
  expect(lines).toContain('  } | null')
})

test('lists, choices, records and unknown things have words', () => {
  expect(shapeOf({ type: 'array', items: { enum: ['month', 'year'] } })).toBe('("month" | "year")[]')
  expect(shapeOf({ type: 'array', items: { type: 'string' } })).toBe('string[]')
  expect(shapeOf({ type: 'object', additionalProperties: {} })).toBe('{ [name]: any }')
  expect(shapeOf({})).toBe('any')
})

test('every operation has an answer and parameters that can be read', () => {
  for (const op of operations) {
    const { parameters, answer } = describe(op)
    for (const text of [shapeOf(answer), ...parameters.map(({ schema }) => shapeOf(schema))])
      expect(`${op.id} ${text}`).not.toMatch(/undefined|object Object/)
  }
})

test('limits are told one by one', () => {
  expect(limitsOf({ type: 'integer', minimum: 1, maximum: 100, default: 20 })).toEqual([
    { kind: 'min', value: '1' },
    { kind: 'max', value: '100' },
    { kind: 'default', value: '20' },
  ])
})
