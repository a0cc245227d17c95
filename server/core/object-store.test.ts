// Objects in a bucket, at a double that verifies signatures.
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type S3Double, s3Double } from '#server/testing/s3.ts'
import { createObjectStore } from './object-store.ts'

const partBytes = 5 * 1024 * 1024
let double: S3Double
beforeEach(async () => {
  double = await s3Double()
})
afterEach(() => double.close())

const storeOf = (change = {}) => createObjectStore({ ...double, endpoint: double.url, ...change })
async function* parts(content: Buffer) {
  for (let at = 0; at < content.length; at += partBytes) yield content.subarray(at, at + partBytes)
}

test('writes an object of several parts, reads ranges of it, and removes it', async () => {
  const store = storeOf()
  const content = randomBytes(2 * partBytes + 7)
  await store.put('recordings/7/a file+1.mp4', 'video/mp4', parts(content))
  expect(double.objects.get('recordings/7/a file+1.mp4')?.equals(content)).toBe(true)
  expect(await store.size('recordings/7/a file+1.mp4')).toBe(content.length)
  const part = await buffer(await store.read('recordings/7/a file+1.mp4', { from: 3, to: partBytes + 5 }))
  expect(part.equals(content.subarray(3, partBytes + 6))).toBe(true)
  await store.remove('recordings/7/a file+1.mp4')
  await store.remove('recordings/7/a file+1.mp4')
  expect(await store.size('recordings/7/a file+1.mp4')).toBe(null)
  await expect(store.read('recordings/7/a file+1.mp4', { from: 0, to: 1 })).rejects.toThrow(/\w/)
})

test('a failed upload leaves no object and no parts', async () => {
  async function* broken() {
    yield randomBytes(partBytes)
    throw new Error('The line to the node broke')
  }
  await expect(storeOf().put('one', 'video/mp4', broken())).rejects.toThrow('The line to the node broke')
  double.fault = 'slow down'
  await expect(storeOf().put('two', 'video/mp4', parts(randomBytes(2 * partBytes)))).rejects.toThrow(/\w/)
  expect(double.objects.size).toBe(0)
  expect([...double.uploads.keys()].length).toBeLessThanOrEqual(1)
})

test.each([
  ['another secret', { secretAccessKey: 'another' }],
  ['another key', { accessKeyId: 'AKIAOTHER' }],
  ['another region', { region: 'us-2' }],
])('is refused with %s, and does not repeat the secret', async (_, change) => {
  const failed = await storeOf(change)
    .put('one', 'video/mp4', parts(Buffer.from('x')))
    .catch((error: Error) => error)
  expect(failed).toBeInstanceOf(Error)
  expect(JSON.stringify([failed, String(failed)])).not.toContain(double.secretAccessKey)
  expect(double.objects.size).toBe(0)
})

test('a broken download is an error of its stream', async () => {
  const store = storeOf()
  await store.put('one', 'video/mp4', parts(randomBytes(1_000_000)))
  double.fault = 'cut'
  await expect(buffer(await store.read('one', { from: 0, to: 999_999 }))).rejects.toThrow(/\w/)
})
