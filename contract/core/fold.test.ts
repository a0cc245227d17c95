import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldText } from './fold.ts'

test.each([
  ['ПРИВЕТ', 'привет'],
  ['Ｈｅｌｌｏ　１', 'hello 1'],
  ['e\u0301', 'é'],
  ['ｶﾞ', 'ガ'],
  ['𝓗𝔦', 'hi'],
  ['\u212A', 'k'],
  ['\uFDFA', '\uFDFA'],
  ['…ﬁ', '…ﬁ'],
])('folds %s as %s', (text, folded) => {
  expect(foldText(text)).toBe(folded)
})

test('folds any text to at most three times its length, and folded ones to themselves', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      const folded = foldText(text)
      expect(folded.length).toBeLessThanOrEqual(3 * text.length)
      expect(foldText(folded)).toBe(folded)
    }),
    { numRuns: 500 },
  )
})

test('no character folds to more than three', () => {
  const long: string[] = []
  for (let code = 0; code <= 0x10_ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const char = String.fromCodePoint(code)
    if (foldText(char).length > 3 * char.length) long.push(code.toString(16))
  }
  expect(long).toEqual([])
})
