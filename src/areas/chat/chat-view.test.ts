// Filters of the chat page in the URL.
import { expect, test } from 'vitest'
import { capabilityOf, messageOf } from '#src/components/message-list/fixtures.ts'
import { emptyView, fitsOf, mentionOf, readView, servedFilter, writeView } from './chat-view.ts'

test('reads what it writes, and drops what it does not know', () => {
  const view = { platform: 'twitch', only: 'paid', hidden: 'yes', q: 'hi', panel: 'log' } as const
  expect(readView(writeView(emptyView, view))).toEqual(view)
  expect(readView(new URLSearchParams('platform=x&only=y&hidden=no&panel=z'))).toEqual(emptyView)
  expect(writeView(emptyView, {}).toString()).toBe('')
})

test('sends filters that the service knows', () => {
  const rows = [capabilityOf(), capabilityOf({ restream_id: 2, channel_id: 6, platform: 'youtube' })]
  expect(servedFilter({ ...emptyView, platform: 'youtube', q: ' hi ' }, rows)).toEqual({ q: 'hi', restream_id: 2 })
  const two = [...rows, capabilityOf({ restream_id: 3, channel_id: 7, platform: 'youtube' })]
  expect(servedFilter({ ...emptyView, platform: 'youtube', hidden: 'yes' }, two)).toEqual({ hidden: true })
})

test('keeps paid messages, mentions and questions', () => {
  const isMention = mentionOf(['Relaydeck'], [capabilityOf({ name: 'One' })])
  const fits = (view: object, more: Parameters<typeof messageOf>[1]) =>
    fitsOf({ ...emptyView, ...view }, isMention)?.(messageOf(1, more)) ?? true
  expect(fits({}, {})).toBe(true)
  expect(fits({ only: 'paid' }, {})).toBe(false)
  expect(fits({ only: 'paid' }, { kind: 'paid' })).toBe(true)
  expect(fits({ only: 'questions' }, { text: '何时开始？' })).toBe(true)
  expect(fits({ only: 'mentions' }, { text: 'I like RELAYDECK' })).toBe(true)
  expect(fits({ only: 'mentions' }, { entities: [{ type: 'mention', text: '@one' }] })).toBe(true)
  expect(fits({ only: 'mentions' }, { text: 'hi' })).toBe(false)
  expect(fits({ platform: 'youtube' }, {})).toBe(false)
  expect(fits({ q: 'ПРИВЕТ' }, { text: 'всем привет' })).toBe(true)
  expect(fits({ q: 'ann' }, { name: 'Anna' })).toBe(true)
})
