// Acts that a row of abilities allows: no control that it denies, and a reason for each that is missing.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatCapability, ChatMessage } from '#contract/entities/chat-message.ts'
import type { ActName } from '#src/components/message-list/acts.ts'
import { capabilityOf, messageOf } from '#src/components/message-list/fixtures.ts'
import { allowedActs, type Standing } from './allowed.ts'
import { chosenTargets, defaultTargets, tooLongFor } from './targets.ts'

const rows = fc.record({
  send: fc.boolean(),
  reply: fc.boolean(),
  delete: fc.boolean(),
  restricts: fc.constantFrom('none', 'ban', 'timeout'),
  timeout_max: fc.constantFrom(null, 60, 600, 1_209_600),
  needs: fc.constantFrom(null, 'reconnect', 'scope', 'account', 'plan', 'page', 'setup', 'quota'),
}) as fc.Arbitrary<Partial<ChatCapability>>

const messages = fc.record({ is_outgoing: fc.boolean(), deleted: fc.boolean() }).map((more) => messageOf(1, more))
const standing = fc.record({
  mayWrite: fc.boolean(),
  restricted: fc.constantFrom(null, 'timeout' as const, 'ban' as const),
  isStarred: fc.boolean(),
})

/** Returns what the chat of a message can do, by its row. */
function canOf(
  message: ChatMessage,
  row: ChatCapability | undefined,
  where: Standing,
): Partial<Record<ActName, boolean>> {
  return {
    person: true,
    star: !message.deleted && !where.isStarred,
    unstar: !message.deleted && where.isStarred,
    reply: row?.reply ?? false,
    delete: row?.delete ?? false,
    timeout: row?.restricts === 'timeout',
    untimeout: row?.restricts === 'timeout',
    ban: (row?.restricts ?? 'none') !== 'none',
    unban: (row?.restricts ?? 'none') !== 'none',
    hide: true,
    show: true,
  }
}

/** Returns which acts the message and its author have, offered or denied. */
function dueOf(message: ChatMessage, { restricted }: Standing) {
  const others = !message.is_outgoing
  return {
    person: others,
    reply: others && !message.deleted,
    delete: !message.deleted,
    untimeout: others && restricted === 'timeout',
    ban: others && restricted !== 'ban',
    unban: others && restricted === 'ban',
  }
}

test('invariant 8: offers what the row allows, and nothing that it denies', () => {
  fc.assert(
    fc.property(rows, messages, standing, fc.boolean(), (more, message, where, isOnAir) => {
      const row = isOnAir ? capabilityOf(more) : undefined
      const { acts, missing } = allowedActs(message, row, where, (why, act) => `${act}: ${why}`)
      const can = canOf(message, row, where)
      for (const { name, seconds } of acts) {
        expect([name, can[name]]).toEqual([name, true])
        if (name !== 'person') expect(where.mayWrite).toBe(true)
        if (message.is_outgoing) expect(['delete', 'hide', 'show', 'star', 'unstar']).toContain(name)
        if (seconds !== undefined) expect(seconds).toBeLessThanOrEqual(row?.timeout_max ?? Infinity)
      }
      for (const [name, reason] of Object.entries(missing)) {
        expect(acts.map((act) => act.name)).not.toContain(name)
        expect(reason).toMatch(/\w+: \w+/)
      }
    }),
  )
})

test('invariant 8: each act that a message has is offered, or has a reason', () => {
  fc.assert(
    fc.property(rows, messages, standing, fc.boolean(), (more, message, where, isOnAir) => {
      const row = isOnAir ? capabilityOf(more) : undefined
      const { acts, missing } = allowedActs(message, row, where, (why, act) => `${act}: ${why}`)
      for (const [name, isDue] of Object.entries(dueOf(message, where))) {
        const isOffered = name === 'person' || (where.mayWrite && canOf(message, row, where)[name as ActName] === true)
        expect([name, acts.some((act) => act.name === name)]).toEqual([name, isDue && isOffered])
        expect([name, name in missing]).toEqual([name, isDue && !isOffered])
      }
    }),
  )
})

test('writes to the chats that can be written to, and answers in the chat of the message only', () => {
  const all = [
    capabilityOf({ channel_id: 1, restream_id: 1 }),
    capabilityOf({ channel_id: 2, restream_id: 2, platform: 'youtube', text_max: 200 }),
    capabilityOf({ channel_id: 3, restream_id: 3, platform: 'kick', send: false, needs: 'scope' }),
    capabilityOf({ channel_id: 4, restream_id: null, platform: 'vk' }),
  ]
  const ids = (chosen: ReadonlyMap<number, boolean>) => chosenTargets(all, chosen).map(({ channel_id }) => channel_id)
  expect(ids(defaultTargets(all, null))).toEqual([1, 2])
  expect(ids(defaultTargets(all, messageOf(1)))).toEqual([1])
  expect(ids(new Map([[1, false]]))).toEqual([2])
  expect(tooLongFor(all, '😀'.repeat(200))).toEqual([])
  expect(tooLongFor(all, 'x'.repeat(201)).map(({ platform }) => platform)).toEqual(['youtube'])
})
