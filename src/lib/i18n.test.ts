// Maps browser languages to languages of the wire: with a wrong one the server refuses every call (session case T70).
import { expect, test } from 'vitest'
import { toLanguage } from './i18n.ts'

test.each([
  ['zh-CN', 'cn'],
  ['zh-Hans-SG', 'cn'],
  ['zh', 'cn'],
  ['cn', 'cn'],
  ['ru-RU', 'ru'],
  ['EN-gb', 'en'],
  ['de', null],
  ['', null],
  [undefined, null],
])('%s is %s', (tag, language) => {
  expect(toLanguage(tag)).toBe(language)
})
