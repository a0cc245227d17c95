import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonArrayError, jsonArrayReader } from './json-array.ts'

const readAll = (pieces: readonly string[], max?: number) => {
  let malformed = 0
  const read = jsonArrayReader(() => void malformed++, max)
  return { found: pieces.flatMap((piece) => read(piece)), malformed }
}

test('an array cut anywhere has the same elements', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
      fc.array(fc.nat({ max: 400 }), { maxLength: 12 }),
      (elements, cuts) => {
        const text = JSON.stringify(elements, null, 1)
        const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b), text.length]
        const pieces = places.slice(1).map((end, at) => text.slice(places[at], end))
        expect(readAll(pieces)).toEqual({ found: JSON.parse(text), malformed: 0 })
      },
    ),
  )
})

test('an object is returned with its last brace, before the next comma', () => {
  expect(readAll(['[{"a":"}],', '{"}']).found).toEqual([{ a: '}],{' }])
})

test('any text gives elements or an error of its own', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('[', ']', '{', '}', ',', '"', ':', '\\', 'a', '1', ' ') }), {
        maxLength: 30,
      }),
      (pieces) => {
        try {
          readAll(pieces)
        } catch (error) {
          expect(error).toBeInstanceOf(JsonArrayError)
        }
      },
    ),
  )
  expect(readAll(['[{"a":1,},{"b":2}]'])).toEqual({ found: [{ b: 2 }], malformed: 1 })
  expect(() => readAll(['<html>'])).toThrow(JsonArrayError)
  expect(() => readAll(['["', 'x'.repeat(200)], 100)).toThrow(JsonArrayError)
})
