// Compares declared operations with the published list (published.json: facts of the snapshots of 2025-06 and 2025-11).
// Every difference needs a reason in `published-reasons.ts`; a reason without a difference fails as well.
import { expect, test } from 'vitest'
import { describe, type JsonSchema } from './core/describe.ts'
import type { Operation } from './core/operation.ts'
import { operations } from './index.ts'
import { type Facts, factsOf, fieldOf, requiredBy } from './published-facts.ts'
import { reasons } from './published-reasons.ts'

/** Puts the choices of a parameter into one order: `platform=vk|ok` is the set of `platform=ok|vk`. */
const inOrder = (parameter: string): string =>
  parameter.replace(/=(.+)/, (_, choices: string) => `=${choices.split('|').toSorted().join('|')}`)

/** Our parameters in the notation of the facts. With a default, `required` is unknown and copied from the facts. */
function parametersOf(op: Operation, theirs: readonly string[]): string[] {
  return describe(op)
    .parameters.filter(({ name }) => name !== 'v' && name !== 'language')
    .map(({ name, required, schema }) => {
      const choice = schema.enum?.length ? inOrder(`=${schema.enum.join('|')}`) : ''
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
  const published = fact.parameters.map(inOrder)
  const lists = [
    ['parameter', parametersOf(op, published), published],
    ...(fact.answer?.[0]?.startsWith(':') === false
      ? ([['answer', fieldsOf(describe(op).answer), fact.answer.map((entry) => fieldOf(entry).path)]] as const)
      : []),
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

const compared = operations.flatMap((op) => {
  const facts = factsOf(op)
  return facts ? [[op.id, op, facts] as const] : []
})

test.each(compared)('%s matches the published operation, or has a reason for each difference', (id, op, facts) => {
  const found = differences(op, facts)
  const known = Object.keys(reasons[id] ?? {}).map(inOrder)
  const covers = (reason: string, difference: string) =>
    reason.endsWith('*') ? difference.startsWith(reason.slice(0, -1)) : reason === difference
  expect(found.filter((difference) => !known.some((reason) => covers(reason, difference)))).toEqual([])
  expect(known.filter((reason) => !found.some((difference) => covers(reason, difference)))).toEqual([])
})

const withCommon = compared.filter(([, , { commonInQuery }]) => commonInQuery !== undefined)

test.each(withCommon)('%s has v and language in the query where they are published there', (_, op, facts) => {
  const inQuery = describe(op).parameters.filter((one) => one.in === 'query' && !one.required)
  expect(inQuery.map(({ name }) => name)).toEqual(expect.arrayContaining([...(facts.commonInQuery ?? [])]))
})

test.each(compared)('%s requires no parameter that a published description leaves out', (_, op, facts) => {
  const ours = describe(op).parameters.filter(
    (one) => one.required && one.in !== 'path' && !/^(v|language)$/.test(one.name),
  )
  for (const theirs of requiredBy(facts)) {
    expect(ours.filter(({ name }) => !theirs.includes(name)).map(({ name }) => name)).toEqual([])
  }
})

test('has reasons only for existing operations', () => {
  expect(Object.keys(reasons).filter((id) => !operations.some((op) => op.id === id))).toEqual([])
})
