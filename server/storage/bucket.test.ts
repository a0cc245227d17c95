// The store of films in a bucket: pieces, killed writers at each request, hostile names, and buckets that refuse.
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createObjectStore } from '#server/core/object-store.ts'
import { type S3Double, s3Double } from '#server/testing/s3.ts'
import { createBucketStore } from './bucket.ts'
import type { MediaStore, ObjectName } from './store.ts'

const mebibyte = 1024 * 1024
let s3: S3Double
let store: MediaStore
let lengths: Map<string, number>
beforeEach(async () => {
  s3 = await s3Double()
  store = open()
  lengths = new Map()
})
afterEach(() => s3.close())

/** Opens the bucket as another replica does. */
const open = (change = {}) => createBucketStore(createObjectStore({ ...s3, endpoint: s3.url, ...change }), s3.url)
const uploads = (of = store) => of.uploads(async (id) => lengths.get(id) ?? null)
const offset = async (id: string, of = store) => (await (await uploads(of)).getUpload(id)).offset
const write = async (id: string, at: number, from: Readable, of = store) => (await uploads(of)).write(from, id, at)
const whole = async (name: ObjectName, bytes: number) => buffer(await store.read(name, { from: 0, to: bytes - 1 }))
async function all<T>(found: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const one of found) list.push(one)
  return list
}
const keys = (prefix = 'media/') => [...s3.objects.keys()].filter((key) => key.startsWith(prefix)).toSorted()
async function begin(id: string, length: number): Promise<void> {
  lengths.set(id, length)
  await store.begin(`uploads/${id}`)
}

test('an upload in odd pieces at two replicas has the same bytes and few objects', async () => {
  const content = randomBytes(3 * mebibyte + 77)
  await begin('film', content.length)
  expect([await offset('film'), await store.size('uploads/film')]).toEqual([0, 0])
  const replicas = [store, open()]
  let at = 0
  for (let round = 0; at < content.length; round++) {
    const piece = content.subarray(at, at + [300_000, 1, mebibyte, 700_001][round % 4]!)
    at = await write('film', at, Readable.from([piece.subarray(0, 7), piece.subarray(7)]), replicas[round % 2])
    expect(await offset('film', replicas[(round + 1) % 2])).toBe(at)
  }
  expect((await whole('uploads/film', at)).equals(content)).toBe(true)
  // Pieces are joined to full ones.
  expect(keys().map((key) => s3.objects.get(key)?.length)).toEqual([mebibyte, mebibyte, mebibyte, 77])
  for (const [from, to] of [
    [0, 0],
    [mebibyte - 1, mebibyte],
    [5, 3 * mebibyte + 1],
    [content.length - 1, content.length - 1],
  ] as const)
    expect(await buffer(await store.read('uploads/film', { from, to }))).toEqual(content.subarray(from, to + 1))
  await store.remove('uploads/film')
  expect([keys(), await store.size('uploads/film')]).toEqual([[], null])
})

test('a piece that breaks off keeps what arrived', async () => {
  const content = randomBytes(2 * mebibyte)
  await begin('film', content.length)
  const broken = Readable.from(
    (async function* () {
      yield content.subarray(0, mebibyte + 500)
      throw new Error('The connection broke')
    })(),
  )
  await expect(write('film', 0, broken)).rejects.toThrow('The connection broke')
  expect(await offset('film')).toBe(mebibyte + 500)
  await expect(write('film', mebibyte, Readable.from([content]))).rejects.toThrow('instead of')
  expect(await write('film', mebibyte + 500, Readable.from([content.subarray(mebibyte + 500)]))).toBe(content.length)
  expect((await whole('uploads/film', content.length)).equals(content)).toBe(true)
})

/** Has the bucket break with its n-th change, and refuse until the returned function is called: the replica was killed. */
function killAt(change: number, when: 'before' | 'after'): () => boolean {
  let count = 0
  let isKilled = false
  s3.onWrite = () => {
    if (isKilled) return 'break before'
    if (count++ !== change) return 'keep'
    isKilled = true
    return `break ${when}`
  }
  return () => {
    s3.onWrite = () => 'keep'
    return isKilled
  }
}
const moments = ['before', 'after'] as const

test.each(moments)('a replica that is killed %s any request of an upload leaves a beginning of it', async (when) => {
  const content = randomBytes(2 * mebibyte + 9)
  for (let change = 0, wasKilled = true; wasKilled; change++) {
    const id = `film-${change}`
    lengths.set(id, content.length)
    const revive = killAt(change, when)
    const died = await (async () => {
      await store.begin(`uploads/${id}`)
      await write(id, 0, Readable.from([content]))
    })().catch((error: Error) => error)
    wasKilled = revive()
    expect(died instanceof Error).toBe(wasKilled)
    const other = open()
    const has = await store.size(`uploads/${id}`)
    if (has === null) await other.begin(`uploads/${id}`)
    const at = await offset(id, other)
    expect(await write(id, at, Readable.from([content.subarray(at)]), other)).toBe(content.length)
    expect((await whole(`uploads/${id}`, content.length)).equals(content)).toBe(true)
  }
})

test.each(moments)(
  'an upload that begins anew after a kill %s any removal has no byte of the earlier one',
  async (when) => {
    const [old, fresh] = [randomBytes(4 * mebibyte), randomBytes(4 * mebibyte)]
    for (let change = 0, wasKilled = true; wasKilled; change++) {
      const id = `film-${change}`
      await begin(id, old.length)
      await write(id, 0, Readable.from([old]))
      const revive = killAt(change, when)
      await store.begin(`uploads/${id}`).catch(() => undefined)
      wasKilled = revive()
      const other = open()
      // The service begins it again: its length is noted afterwards only.
      await other.begin(`uploads/${id}`)
      expect(await offset(id, other)).toBe(0)
      await write(id, 0, Readable.from([fresh.subarray(0, mebibyte)]), other)
      expect(await offset(id, other)).toBe(mebibyte)
      await write(id, mebibyte, Readable.from([fresh.subarray(mebibyte)]), other)
      expect((await whole(`uploads/${id}`, fresh.length)).equals(fresh)).toBe(true)
    }
  },
)

test('pieces behind a gap never count, and go with the next write', async () => {
  const content = randomBytes(4 * mebibyte)
  await begin('film', content.length)
  await write('film', 0, Readable.from([content]))
  // A replica that had lost the lock wrote less in the place of a piece.
  s3.objects.set('media/uploads/film/000000001048576', content.subarray(mebibyte, mebibyte + 10))
  expect(await offset('film')).toBe(mebibyte + 10)
  await write('film', mebibyte + 10, Readable.from([Buffer.from('abc')]))
  expect(await offset('film')).toBe(mebibyte + 13)
  expect(keys()).toHaveLength(2)
})

const making = 'making/film.0123.mp4'
const master = 'masters/0123.mp4'
const part = 5 * mebibyte

test.each(moments)('a master is whole or absent when its replica is killed %s any request', async (when) => {
  const content = randomBytes(part + 9)
  for (let change = 0, wasKilled = true; wasKilled; change++) {
    const revive = killAt(change, when)
    const send = async (of: MediaStore) => {
      for (let from = 0; from < content.length; from += part) {
        if (((await of.size(making)) ?? 0) > from) continue
        await of.write(making, from, Readable.from([content.subarray(from, from + part)]))
      }
      await of.finish(making, master)
    }
    const died = await send(store).catch((error: Error) => error)
    wasKilled = revive()
    expect(died instanceof Error).toBe(wasKilled)
    const has = await store.size(master)
    expect([null, content.length]).toContain(has)
    // A node sends the rest again, unless it has its name.
    if (has === null) await send(open())
    expect((await whole(master, content.length)).equals(content)).toBe(true)
    await store.remove(making)
    await store.remove(master)
    expect(keys()).toEqual([])
    // What a kill left before it had a name is found by its age.
    for (const { name, upload } of await createObjectStore({ ...s3, endpoint: s3.url }).listUnfinished('media/'))
      await createObjectStore({ ...s3, endpoint: s3.url }).abortParts(name, upload)
    expect(s3.uploads.size).toBe(0)
  }
})

test('a part that is sent twice counts once, and one that is early is refused', async () => {
  const content = randomBytes(part + 3)
  await expect(store.write(making, 5, Readable.from([content]))).rejects.toThrow('shorter')
  expect(await store.write(making, 0, Readable.from([content.subarray(0, part)]))).toBe(part)
  expect(await open().write(making, 0, Readable.from([content.subarray(0, part)]))).toBe(part)
  expect(await store.write(making, part, Readable.from([content.subarray(part)]))).toBe(content.length)
  await expect(store.finish(making, 'masters/another.mp4')).rejects.toThrow('cannot become')
  await store.finish(making, master)
  expect((await whole(master, content.length)).equals(content)).toBe(true)
  expect(keys()).toEqual([`media/${master}`])
  // A removal ends the parts of one that is not complete.
  await store.write('making/film.4567.mp4', 0, Readable.from([content]))
  await store.remove('making/film.4567.mp4')
  expect([keys(), s3.uploads.size]).toEqual([[`media/${master}`], 0])
})

test('lists objects with their size and last change, an upload as one', async () => {
  await begin('one', 3 * mebibyte)
  await write('one', 0, Readable.from([randomBytes(2 * mebibyte + 5)]))
  await begin('two', 5)
  const old = new Date('2026-01-01T00:00:00Z')
  for (const key of keys()) s3.times.set(key, old)
  const late = new Date('2026-02-01T00:00:00Z')
  s3.times.set('media/uploads/one/000000001048576', late)
  expect(await all(store.list('uploads'))).toEqual([
    { name: 'uploads/one', bytes: 2 * mebibyte + 5, at: late },
    { name: 'uploads/two', bytes: 0, at: old },
  ])
  for (let film = 0; film < 2_500; film++) s3.objects.set(`media/masters/${film}.mp4`, Buffer.from('x'))
  expect(await all(store.list('masters'))).toHaveLength(2_500)
})

test.each([
  'masters/../recordings/1.mp4',
  'masters/a/b',
  'masters/',
  'recordings/1.mp4',
  'uploads/..',
  'uploads/a%2f..%2fb',
  '/masters/a',
  `masters/${'a'.repeat(200)}`,
])('refuses the name %s before it reaches the bucket', async (name) => {
  s3.onWrite = () => {
    throw new Error('The name reached the bucket')
  }
  for (const call of [
    () => store.size(name as ObjectName),
    () => store.remove(name as ObjectName),
    () => store.begin(name as ObjectName),
    () => store.read(name as ObjectName, { from: 0, to: 1 }),
    () => store.write(name as ObjectName, 0, Readable.from(['x'])),
    () => store.finish(name as ObjectName, 'masters/a'),
  ])
    await expect(call()).rejects.toThrow('is no name of an object')
})

test.each([
  ['refuses everything', 'refuse', {}],
  ['forbids everything', 'forbid', {}],
  ['has another secret', 'none', { secretAccessKey: 'other' }],
  ['does not exist', 'none', { endpoint: 'http://127.0.0.1:1/none' }],
] as const)('a bucket that %s is an error with a reason, and no missing film', async (_, fault, change) => {
  s3.objects.set(`media/${master}`, Buffer.from('film'))
  s3.fault = fault
  const away = open(change)
  for (const call of [
    () => away.size(master),
    () => away.read(master, { from: 0, to: 1 }),
    () => away.remove(master),
    () => away.begin('uploads/film'),
    () => away.marker(),
    () => away.mark('7'),
    () => away.size('uploads/film'),
    () => away.write(making, 0, Readable.from([Buffer.from('x')])),
    () => all(away.list('masters')),
  ]) {
    const error = await call().then(
      () => null,
      (failure: Error) => failure,
    )
    expect(error).toMatchObject({ name: 'StoreAway', status: 503 })
    expect(error?.cause).toBeInstanceOf(Error)
    expect(JSON.stringify([error, String(error), String(error?.cause)])).not.toContain(s3.secretAccessKey)
  }
  expect(s3.objects.has(`media/${master}`)).toBe(true)
})

test('more pieces at a time than the memory allows are refused, and accepted afterwards', async () => {
  lengths.set('large', 100_000 * mebibyte)
  await store.begin('uploads/large')
  const waiting = Array.from({ length: 8 }, () => new Readable({ read: () => undefined }))
  const running = waiting.map((from) => write('large', 0, from))
  await expect(write('large', 0, Readable.from(['x']))).rejects.toThrow('at a time')
  for (const from of waiting) from.push(null)
  await Promise.all(running)
  expect(await write('large', 0, Readable.from([Buffer.from('x')]))).toBe(1)
})

test('a bucket has the number of its installation', async () => {
  expect(await store.marker()).toBe(null)
  await store.mark('abc')
  expect([await open().marker(), keys()]).toEqual(['abc', ['media/folder-number']])
})
