import { afterEach, expect, test, vi } from 'vitest'
import { ping } from './ping.ts'

afterEach(() => vi.unstubAllGlobals())

/** A network whose answers take so long, one after the other; `null` is none. */
function network(...times: (number | null)[]) {
  let now = 0
  const asked: string[] = []
  vi.stubGlobal('location', { protocol: 'https:' })
  vi.stubGlobal('performance', { now: () => now })
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    const time = times.shift()
    if (typeof time !== 'number') throw new TypeError('Failed to fetch')
    now += time
    return {}
  })
  return asked
}
const { signal } = new AbortController()

test('the quickest answer counts, but not the one that opened the connection', async () => {
  const asked = network(3, 40, 25, 31)
  expect(await ping('fra.example.com', signal)).toBe(25)
  expect(asked).toEqual(Array.from({ length: 4 }, () => 'https://fra.example.com/healthz'))
})

test('nothing is made up when it does not answer', async () => {
  network(30, null)
  await expect(ping('fra.example.com', signal)).rejects.toThrow('Failed to fetch')
})

test('what is on the same machine is not zero away', async () => {
  network(0.2, 0.2, 0.2, 0.2)
  expect(await ping('127.0.0.1:8080', signal)).toBe(1)
})
