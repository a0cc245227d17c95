import { expect, test } from 'vitest'
import { avatarProblem } from './avatar-check.ts'

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const file = (bytes: number[], size = bytes.length) => {
  const content = new Uint8Array(size)
  content.set(bytes)
  return new Blob([content])
}

test('a PNG and a JPEG can be sent', async () => {
  expect(await avatarProblem(file(png))).toBeNull()
  expect(await avatarProblem(file([0xff, 0xd8, 0xff, 0xe0]))).toBeNull()
})

test('two megabytes can be sent, a byte more cannot', async () => {
  expect(await avatarProblem(file(png, 2 * 1024 * 1024))).toBeNull()
  expect(await avatarProblem(file(png, 2 * 1024 * 1024 + 1))).toBe('tooLarge')
})

test('a file that only calls itself a picture, and an empty one, cannot', async () => {
  expect(await avatarProblem(new Blob(['<svg/>'], { type: 'image/png' }))).toBe('format')
  expect(await avatarProblem(file([]))).toBe('format')
})
