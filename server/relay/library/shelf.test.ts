// Shelf with makers that a test ends.
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Shelf } from './shelf.ts'

function open(atOnce: number) {
  const running = new Map<string, PromiseWithResolvers<string>>()
  const shelf = new Shelf<string, string>({
    keptMax: 10,
    atOnce,
    make(about) {
      const made = Promise.withResolvers<string>()
      running.set(about, made)
      return made.promise
    },
  })
  return { shelf, running, get: (key: string) => shelf.get(key, key).made }
}

test('makes as many as allowed at a time, so that a long one does not delay the others', async () => {
  const { shelf, running, get } = open(2)
  for (const key of ['long', 'b', 'c']) expect(get(key)).toBeNull()
  await wait(0)
  expect([...running.keys()]).toEqual(['long', 'b'])
  running.get('b')?.resolve('made of b')
  await wait(0)
  expect([...running.keys()]).toEqual(['long', 'b', 'c'])
  expect([get('long'), get('b'), get('c')]).toEqual([null, 'made of b', null])
  running.get('c')?.reject(new Error('It is damaged'))
  await wait(0)
  expect(shelf.find(({ about }) => about === 'c')?.failure).toBe('It is damaged')
  // What runs is awaited, and nothing more begins.
  get('d')
  let isClosed = false
  const closing = shelf.close().then(() => (isClosed = true))
  get('e')
  running.get('d')?.resolve('made of d')
  await wait(0)
  expect([isClosed, [...running.keys()]]).toEqual([false, ['long', 'b', 'c', 'd']])
  running.get('long')?.resolve('made at last')
  await closing
  expect(get('long')).toBe('made at last')
})
