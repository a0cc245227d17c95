// Parts of a message: hostile addresses become texts.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { colorOf, imageOf, partsOf } from './chat-text.ts'

/** Address of a script. */
const scriptUrl = ['javascript', 'alert(1)'].join(':')

test('keeps texts, and makes links and images only of web addresses', () => {
  const parts = partsOf({
    text: 'all',
    entities: [
      { type: 'text', text: '<img src=x onerror=alert(1)>' },
      { type: 'link', text: 'click', url: scriptUrl },
      { type: 'link', text: 'site', url: 'https://example.com/a' },
      { type: 'emoji', id: '1', name: 'Kappa', image: 'data:image/svg+xml,<svg onload=alert(1)>' },
      { type: 'emoji', id: '2', name: 'Keepo', image: 'https://static-cdn.jtvnw.net/1' },
      { type: 'emoji', id: '3', name: ':x:', image: null },
      { type: 'mention', text: '@ann' },
    ],
  })
  expect(parts).toEqual([
    { is: 'text', text: '<img src=x onerror=alert(1)>' },
    { is: 'text', text: 'click' },
    { is: 'link', text: 'site', href: 'https://example.com/a' },
    { is: 'text', text: 'Kappa' },
    { is: 'image', text: 'Keepo', src: 'https://static-cdn.jtvnw.net/1' },
    { is: 'text', text: ':x:' },
    { is: 'mention', text: '@ann' },
  ])
  expect(partsOf({ text: 'plain', entities: [] })).toEqual([{ is: 'text', text: 'plain' }])
})

test('finds addresses in texts, without the punctuation after them', () => {
  const partsIn = (text: string) => partsOf({ text, entities: [] })
  expect(partsIn('see https://example.com/a?b=1, or (http://example.com).')).toEqual([
    { is: 'text', text: 'see ' },
    { is: 'link', text: 'https://example.com/a?b=1', href: 'https://example.com/a?b=1' },
    { is: 'text', text: ', or (' },
    { is: 'link', text: 'http://example.com', href: 'http://example.com/' },
    { is: 'text', text: ').' },
  ])
  expect(partsIn('ftp://example.com')).toEqual([{ is: 'text', text: 'ftp://example.com' }])
  expect(partsIn('https://')).toEqual([{ is: 'text', text: 'https://' }])
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.webUrl(), fc.constant('https://'))), (texts) => {
      const text = texts.join(' ')
      expect(
        partsIn(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
    }),
  )
})

test('accepts no other address and no other colour', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl()), (text) => {
      expect(imageOf(text) ?? 'https:').toMatch(/^https:/)
      expect(colorOf(text) ?? '#000000').toMatch(/^#[\da-f]{6}$/i)
    }),
  )
  expect(colorOf('#ff0000;background:url(x)')).toBeNull()
  expect(imageOf('http://example.com/a.png')).toBeNull()
})
