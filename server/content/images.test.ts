import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contentFolder, somePng, someWebp } from '#server/testing/content.ts'
import { imageBytesMax, readImage } from './images.ts'

const read = async (bytes: Buffer) => {
  const absolute = join(contentFolder({ 'image.png': bytes }), 'image.png')
  const { size, mtime } = await stat(absolute)
  return readImage({ path: 'image.png', absolute, size, changed: mtime })
}

/** A WebP with a chunk of its kind; the rest of the head is given. */
const webp = (kind: string, head: string) =>
  Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'),
    Buffer.from(kind, 'latin1'),
    Buffer.from(`00000000${head}`.padEnd(60, '0'), 'hex'),
  ])

test('reads type and size of PNG and of the three forms of WebP', async () => {
  await expect(read(somePng)).resolves.toMatchObject({ type: 'image/png', width: 3, height: 2 })
  await expect(read(someWebp)).resolves.toMatchObject({ type: 'image/webp', width: 5, height: 4 })
  await expect(read(webp('VP8X', '00000000060000070000'))).resolves.toMatchObject({ width: 7, height: 8 })
  await expect(read(webp('VP8L', '2f08400200'))).resolves.toMatchObject({ width: 9, height: 10 })
})

test.each([
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['HTML behind the mark of PNG', Buffer.from('\x89PNG\r\n\x1A\n<html><script>alert(1)</script></html>', 'latin1')],
  ['an empty file', Buffer.alloc(0)],
  ['a PNG of no pixels', Buffer.concat([somePng.subarray(0, 16), Buffer.alloc(10)])],
  ['a file above the limit', Buffer.concat([somePng, Buffer.alloc(imageBytesMax)])],
])('refuses %s', async (_, bytes) => {
  await expect(read(bytes)).resolves.toBeNull()
})
