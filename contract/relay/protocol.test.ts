// Compatibility of the relay protocol with the messages of version 2.
import { expect, test } from 'vitest'
import recorded from './recorded-version-2.json' with { type: 'json' }
import { FromNode, UnknownEvent } from './from-node.ts'
import { FromService } from './from-service.ts'
import { fromVersion2, toVersion2 } from './version-2.ts'
import { agreeVersion, dispatch, type Handlers, protocolVersions, readMessage } from './protocol.ts'

const typesOf = (schema: typeof FromNode | typeof FromService): string[] =>
  schema.def.options.map((option) => option.shape.type.def.values[0] ?? '')

/** Returns a recorded message with the names of the newest version. */
const renamed = <M extends { readonly type: string }>(message: M): M => ({
  ...message,
  type: { told: 'event', seen: 'ack', wish: 'desired' }[message.type] ?? message.type,
})

test.each([
  ['node', FromNode, recorded.fromNode, ['samples', 'remote', 'play', 'prepare']],
  [
    'service',
    FromService,
    recorded.fromService,
    ['samples-ack', 'drain', 'undrain', 'listeners', 'browser', 'remotes', 'plays', 'prepare', 'unprepare'],
  ],
] as const)('reads every recorded message of a %s without losing a field', (_, schema, messages, added) => {
  for (const message of messages)
    expect(readMessage(schema, JSON.stringify(renamed(message)))).toEqual(renamed(message))
  expect([...new Set(messages.map((message) => renamed(message).type)), ...added].toSorted()).toEqual(
    typesOf(schema).toSorted(),
  )
})

test('reads and writes the names of version 2', () => {
  for (const message of recorded.fromNode)
    expect(readMessage(FromNode, fromVersion2(JSON.stringify(message)))).toEqual(renamed(message))
  for (const message of recorded.fromService) expect(toVersion2(renamed(message) as FromService)).toEqual(message)
})

test('agrees on the newest version that both ends speak', () => {
  const { oldest, latest } = protocolVersions
  expect(agreeVersion({ version: 1, latest: 2 })).toBe(2)
  expect(agreeVersion({ version: 1 })).toBeNull()
  expect(agreeVersion({ version: oldest, latest })).toBe(latest)
  expect(agreeVersion({ version: latest, latest: latest + 1 })).toBe(latest)
  expect(agreeVersion({ version: latest + 1 })).toBeNull()
  expect(agreeVersion({ version: 0 })).toBeNull()
})

test('reads nothing from text that is no message', () => {
  for (const text of ['', 'null', '{}', '{"type":"constructor"}', '{"type":"ack"}', '[1'])
    expect(readMessage(FromService, text)).toBeNull()
})

test('reads the number of an event of an unknown type', () => {
  const text = JSON.stringify({ type: 'event', seq: 4, event: { type: 'eclipse', projectId: 1, at: 0 } })
  expect(readMessage(FromNode, text)).toBeNull()
  expect(readMessage(UnknownEvent, text)).toEqual({ type: 'event', seq: 4 })
})

test('passes a message and all further arguments to the handler of its type', () => {
  type Message = { readonly type: 'a'; readonly value: number } | { readonly type: 'b' }
  const handlers: Handlers<Message, [factor: number], number> = { a: ({ value }, factor) => value * factor, b: () => 0 }
  expect(dispatch(handlers, { type: 'a', value: 3 } as Message, 2)).toBe(6)
  expect(dispatch(handlers, { type: 'b' } as Message, 2)).toBe(0)
})
