// Compatibility of the relay protocol with the messages that nodes and services of version 1 send.
import { expect, test } from 'vitest'
import recorded from './recorded-version-1.json' with { type: 'json' }
import { FromNode, UnknownEvent } from './from-node.ts'
import { FromService } from './from-service.ts'
import { agreeVersion, dispatch, type Handlers, protocolVersions, readMessage } from './protocol.ts'

const typesOf = (schema: typeof FromNode | typeof FromService): string[] =>
  schema.def.options.map((option) => option.shape.type.def.values[0] ?? '')

test.each([
  ['node', FromNode, recorded.fromNode],
  ['service', FromService, recorded.fromService],
] as const)('reads every recorded message of a %s of version 1 without losing a field', (_, schema, messages) => {
  for (const message of messages) expect(readMessage(schema, JSON.stringify(message))).toEqual(message)
  expect([...new Set(messages.map(({ type }) => type))].toSorted()).toEqual(typesOf(schema).toSorted())
})

test('agrees on the newest version that both ends speak', () => {
  const { oldest, latest } = protocolVersions
  expect(agreeVersion({ version: 1 })).toBe(1)
  expect(agreeVersion({ version: oldest, latest })).toBe(latest)
  expect(agreeVersion({ version: latest, latest: latest + 1 })).toBe(latest)
  expect(agreeVersion({ version: latest + 1 })).toBeNull()
  expect(agreeVersion({ version: 0 })).toBeNull()
})

test('reads nothing from text that is no message', () => {
  for (const text of ['', 'null', '{}', '{"type":"constructor"}', '{"type":"seen"}', '[1'])
    expect(readMessage(FromService, text)).toBeNull()
})

test('reads the number of an event of an unknown type', () => {
  const text = JSON.stringify({ type: 'told', seq: 4, event: { type: 'eclipse', projectId: 1, at: 0 } })
  expect(readMessage(FromNode, text)).toBeNull()
  expect(readMessage(UnknownEvent, text)).toEqual({ type: 'told', seq: 4 })
})

test('passes a message and all further arguments to the handler of its type', () => {
  type Message = { readonly type: 'a'; readonly value: number } | { readonly type: 'b' }
  const handlers: Handlers<Message, [factor: number], number> = { a: ({ value }, factor) => value * factor, b: () => 0 }
  expect(dispatch(handlers, { type: 'a', value: 3 } as Message, 2)).toBe(6)
  expect(dispatch(handlers, { type: 'b' } as Message, 2)).toBe(0)
})
