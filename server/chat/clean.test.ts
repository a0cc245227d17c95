import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ChatMessage } from '#contract/entities/chat-message.ts'
import type { ChatEntity, ChatEvent } from '#server/core/chat.ts'
import { cleanEvent, cleanMessage, cleanText } from './clean.ts'
import { messageEvent, plainMessage } from './testing/messages.ts'

test('scenario 3: overrides, zalgo, thousands of emoji and U+0000 leave a readable text', () => {
  expect(cleanText('a\u202Eb\u2066c\u0000d\u009F')).toBe('abcd')
  expect(cleanText(`e${'\u0301'.repeat(40)}x`)).toBe(`e${'\u0301'.repeat(3)}x`)
  expect(cleanText('line\r\nnext\u2028end')).toBe('line next end')
  expect(Array.from(cleanText('😀'.repeat(5_000)))).toHaveLength(2_000)
  expect(cleanText('\uD800x')).toBe('\uFFFDx')
  expect(cleanText('👨‍👩‍👧 ❤️ ไก่ นี้')).toBe('👨‍👩‍👧 ❤️ ไก่ นี้')
})

test('any text becomes at most 2,000 well-formed characters without controls, and stays when cleaned again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const clean = cleanText(text)
      expect(Array.from(clean).length).toBeLessThanOrEqual(2_000)
      expect(clean.isWellFormed()).toBe(true)
      // eslint-disable-next-line no-control-regex -- control characters are what must be gone
      expect(clean).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      expect(cleanText(clean)).toBe(clean)
    }),
  )
})

test('scenario 2, invariant 11: markup stays text, and links that are no web addresses become text', () => {
  const entities: ChatEntity[] = [
    { type: 'text', text: '<img src=x onerror=alert(1)> ' },
    // eslint-disable-next-line no-script-url -- hostile input
    { type: 'link', text: 'click', url: 'javascript:alert(1)' },
    { type: 'emoji', id: '25', name: 'Kappa', image: 'https://evil.example/k.png' },
  ]
  const clean = cleanMessage('twitch', plainMessage('1', { entities }))
  expect(clean.text).toBe('<img src=x onerror=alert(1)> clickKappa')
  expect(clean.entities).toEqual([
    { type: 'text', text: '<img src=x onerror=alert(1)> ' },
    { type: 'text', text: 'click' },
    { type: 'emoji', id: '25', name: 'Kappa', image: null },
  ])
})

test('invariant 11: a sender keeps a name, a colour of six digits and images of the platform only', () => {
  const sender = {
    id: '7',
    name: '\u202E\u0000 ',
    login: 'ann',
    color: 'red;background:url(//x)',
    avatar: 'http://static-cdn.jtvnw.net/a.png',
    badges: [{ id: 'sub', title: '<script>', image: 'data:image/svg+xml,x' }],
    roles: ['vip', 'vip'] as const,
  }
  expect(cleanMessage('twitch', plainMessage('1', { sender })).sender).toEqual({
    id: '7',
    name: 'ann',
    login: 'ann',
    badges: [{ id: 'sub', title: '<script>' }],
    roles: ['vip'],
  })
})

test('a position or a time that a database refuses is dropped, so that its batch is stored', () => {
  const now = new Date('2026-11-22T12:00:00Z')
  const cursorOf = (cursor: string) => {
    const event = cleanEvent('youtube', { ...messageEvent('1'), cursor } as ChatEvent, now)
    return event.is === 'message' ? event.cursor : null
  }
  expect(cursorOf('page 2')).toBe('page 2')
  expect(['a\0b', '\uD800', 'x'.repeat(1_001)].map(cursorOf)).toEqual([undefined, undefined, undefined])
  expect(cleanEvent('vkvideolive', { is: 'gap', since: new Date(Number.NaN) }, now)).toEqual({ is: 'gap', since: now })
})

test('no amount and no time of a platform makes the answer with its message unreadable', () => {
  const { paid, created_at } = ChatMessage.shape
  for (const [amount, time] of [
    [Number.NaN, 8.64e15],
    [Number.POSITIVE_INFINITY, -8.64e15],
    [500, Date.UTC(2026, 10, 23)],
  ] as const) {
    const createdAt = new Date(time)
    const clean = cleanMessage('youtube', {
      ...plainMessage('1'),
      createdAt,
      paid: { amount, currency: 'EUR', text: '5' },
    })
    const sent = JSON.parse(JSON.stringify({ paid: clean.paid ?? null, at: clean.createdAt })) as Record<
      string,
      unknown
    >
    expect([paid.safeParse(sent['paid']).success, created_at.safeParse(sent['at']).success]).toEqual([true, true])
  }
})
