// Acts that a row of abilities allows: no control that it denies, and a reason for each that is missing.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatCapability } from '#contract/entities/chat-message.ts'
import { capabilityOf, messageOf } from '#src/components/message-list/fixtures.ts'
import { allowedActs } from './allowed.ts'
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

test('invariant 8: offers what the row allows, and nothing that it denies', () => {
  fc.assert(
    fc.property(rows, messages, standing, fc.boolean(), (more, message, where, isOnAir) => {
      const row = isOnAir ? capabilityOf(more) : undefined
      const { acts, missing } = allowedActs(message, row, where, (why, act) => `${act}: ${why}`)
      const can = {
        person: true,
        star: !message.deleted && !where.isStarred,
        unstar: !message.deleted && where.isStarred,
        reply: row?.reply,
        delete: row?.delete,
        timeout: row?.restricts === 'timeout',
        untimeout: row?.restricts === 'timeout',
        ban: row && row.restricts !== 'none',
        unban: row && row.restricts !== 'none',
        hide: true,
        show: true,
      }
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
