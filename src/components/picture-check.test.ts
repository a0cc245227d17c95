import { expect, test } from 'vitest'
import { pictureProblem } from './picture-check.ts'

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const file = (bytes: number[], size = bytes.length) => {
  const content = new Uint8Array(size)
  content.set(bytes)
  return new Blob([content])
}

test('accepts PNG and JPEG', async () => {
  expect(await pictureProblem(file(png))).toBeNull()
  expect(await pictureProblem(file([0xff, 0xd8, 0xff, 0xe0]))).toBeNull()
})

test('accepts 2 MB and rejects one byte more', async () => {
  expect(await pictureProblem(file(png, 2 * 1024 * 1024))).toBeNull()
  expect(await pictureProblem(file(png, 2 * 1024 * 1024 + 1))).toBe('tooLarge')
})

test('rejects an empty file, and other content declared as PNG', async () => {
  expect(await pictureProblem(new Blob(['<svg/>'], { type: 'image/png' }))).toBe('format')
  expect(await pictureProblem(file([]))).toBe('format')
})
