import { expect, test } from 'vitest'
import { nextPiece, pieceSizes } from './piece-size.ts'

const { first, least, most } = pieceSizes

test('doubles on a fast line, up to the largest piece', () => {
  const sizes = [first]
  for (let n = 0; n < 8; n++) sizes.push(nextPiece(sizes.at(-1) ?? 0, sizes.at(-1) ?? 0, 100))
  expect(sizes.slice(0, 4)).toEqual([first, 2 * first, 4 * first, 8 * first])
  expect(sizes.at(-1)).toBe(most)
})

test('takes what ten seconds carry on a slow line, and no less than the smallest piece', () => {
  expect(nextPiece(8 * first, 8 * first, 40_000)).toBe(2 * first)
  expect(nextPiece(first, first, 600_000)).toBe(least)
})

test('survives a clock that stands still', () => {
  expect(nextPiece(first, first, 0)).toBe(2 * first)
})
