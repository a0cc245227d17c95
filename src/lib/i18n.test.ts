// A browser's language as one of the wire's: a wrong one would make every call a refusal (session case T70).
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
