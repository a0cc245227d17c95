import i18next, { type ResourceKey } from 'i18next'
import { expect, test } from 'vitest'
import { reasonText } from './air-texts.ts'

const english = import.meta.glob<ResourceKey>('/locales/en/live.json', { import: 'default', eager: true })
const live = Object.values(english)[0] ?? ''
const texts = i18next.createInstance({ lng: 'en', resources: { en: { live } }, interpolation: { escapeValue: false } })
await texts.init()
const t = texts.getFixedT('en', 'live')

test.each([
  ['channel', 'ended', null, 'The server closed the connection.'],
  ['encoder', 'ended', null, 'The encoder closed the connection without stopping the stream.'],
  ['encoder', 'socket', null, 'The connection was lost.'],
  ['encoder', 'silent', null, 'The encoder sends no media. Its connection is open.'],
  ['encoder', 'unpublish', null, 'The encoder stopped the stream.'],
  ['channel', 'refused', 'Go away', 'The server refused the connection. Server message: “Go away”.'],
  ['channel', 'newer', null, 'newer'],
  ['channel', 'publish-rejected', 'SRT 1010', 'The receiver uses another passphrase.'],
  ['channel', 'refused', 'SRT 1002', 'The server refused the connection. Server message: “SRT 1002”.'],
] as const)('%s: %s with %s', (of, reason, words, text) => {
  expect(reasonText((key, values) => t(key, values), { of, reason, words })).toBe(text)
})
