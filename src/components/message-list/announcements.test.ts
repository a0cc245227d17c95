// Announcements for screen readers: at most one a second.
import { expect, test } from 'vitest'
import { messageOf } from './fixtures.ts'
import { type Announced, createAnnouncements, isAnnounced } from './announcements.ts'

test('announces the first message immediately, then one a second with the number of others', () => {
  const said: Announced[] = []
  let next = () => {}
  const announcements = createAnnouncements(
    (one) => said.push(one),
    (run) => {
      next = run
      return () => {}
    },
  )
  for (let seq = 1; seq <= 16; seq++) announcements.add(messageOf(seq))
  expect(said.map(({ text, more }) => [text, more])).toEqual([['Message 1', 0]])
  next()
  expect(said.at(-1)).toEqual({ name: 'Person 16', text: 'Message 16', more: 14 })
  next()
  announcements.add(messageOf(17))
  expect(said.at(-1)).toMatchObject({ text: 'Message 17', more: 0 })
})

test('announces by mode, and never own, hidden or deleted messages', () => {
  const named = ({ text }: { readonly text: string }) => text.includes('@me')
  const modes = (message: Parameters<typeof isAnnounced>[1]) =>
    (['off', 'important', 'all'] as const).map((mode) => isAnnounced(mode, message, named))
  expect(modes(messageOf(1))).toEqual([false, false, true])
  expect(modes(messageOf(1, { text: 'hi @me' }))).toEqual([false, true, true])
  expect(modes(messageOf(1, { kind: 'paid' }))).toEqual([false, true, true])
  for (const more of [{ is_outgoing: true }, { hidden: 'word' }, { deleted: true }] as const)
    expect(modes(messageOf(1, { ...more, text: '@me' }))).toEqual([false, false, false])
})
