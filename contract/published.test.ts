// Declared operations beside the published list (published.json: facts of the snapshots of 2025-06 and 2025-11).
// Every difference has its reason in `published-reasons.ts`; a reason without a difference fails as well.
import { expect, test } from 'vitest'
import { describe, type JsonSchema } from './core/describe.ts'
import type { Operation } from './core/operation.ts'
import { operations } from './index.ts'
import { reasons } from './published-reasons.ts'
import published from './published.json' with { type: 'json' }

interface Facts {
  /** Snapshot that was read. */
  readonly seen: string
  readonly status: readonly number[]
  /** `name`, `name?` when optional, `=a|b` when there is a choice. Without `v` and `language`. */
  readonly parameters: readonly string[]
  readonly v?: readonly string[]
  /** Property names of the answer; `a.b` inside `a`, `a[].b` inside the rows of `a`. */
  readonly answer?: readonly string[]
}

const facts: Readonly<Record<string, Facts>> = published

const routeOf = (op: Operation) => `${op.method} ${op.path.replace('/method/', '')}`

/** Our parameters, spelled as the facts are. Whether one with a default is required cannot be told apart: taken over. */
function parametersOf(op: Operation, theirs: readonly string[]): string[] {
  return describe(op)
    .parameters.filter(({ name }) => name !== 'v' && name !== 'language')
    .map(({ name, required, schema }) => {
      const choice = schema.enum?.length ? `=${schema.enum.join('|')}` : ''
      const optional = schema.default === undefined ? !required : !theirs.includes(`${name}${choice}`)
      return `${name}${optional ? '?' : ''}${choice}`
    })
}

function fieldsOf(schema: JsonSchema, prefix = ''): string[] {
  const inner = (schema['anyOf'] as JsonSchema[] | undefined)?.find((one) => one.type !== 'null') ?? schema
  return Object.entries(inner.properties ?? {}).flatMap(([name, raw]) => {
    const property = (raw['anyOf'] as JsonSchema[] | undefined)?.find((one) => one.type !== 'null') ?? raw
    const path = `${prefix}${name}${property.type === 'array' ? '[]' : ''}`
    return [path, ...fieldsOf(property.items ?? property, `${path}.`)]
  })
}

function differences(op: Operation, fact: Facts): string[] {
  const lists = [
    ['parameter', parametersOf(op, fact.parameters), fact.parameters],
    ...(fact.answer ? ([['answer', fieldsOf(describe(op).answer), fact.answer]] as const) : []),
  ] as const
  return [
    ...lists.flatMap(([what, ours, theirs]) => [
      ...ours.filter((name) => !theirs.includes(name)).map((name) => `+ ${what} ${name}`),
      ...theirs.filter((name) => !ours.includes(name)).map((name) => `- ${what} ${name}`),
    ]),
    ...(fact.status.includes(op.status) ? [] : [`status ${op.status}, not ${fact.status.join('|')}`]),
    ...(!fact.v || fact.v.includes(op.version) ? [] : [`v ${op.version}, not ${fact.v.join('|')}`]),
  ]
}

const compared = operations.filter((op) => routeOf(op) in facts)

test.each(compared.map((op) => [op.id, op] as const))('%s is as published, or says why not', (id, op) => {
  const found = differences(op, facts[routeOf(op)]!)
  const known = Object.keys(reasons[id] ?? {})
  const covers = (reason: string, difference: string) =>
    reason.endsWith('*') ? difference.startsWith(reason.slice(0, -1)) : reason === difference
  expect(found.filter((difference) => !known.some((reason) => covers(reason, difference)))).toEqual([])
  expect(known.filter((reason) => !found.some((difference) => covers(reason, difference)))).toEqual([])
})

test('reasons name operations that exist', () => {
  expect(Object.keys(reasons).filter((id) => !operations.some((op) => op.id === id))).toEqual([])
})
