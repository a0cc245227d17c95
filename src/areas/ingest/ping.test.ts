import { afterEach, expect, test, vi } from 'vitest'
import { ping } from './ping.ts'

afterEach(() => vi.unstubAllGlobals())

/** Mocks fetch with response times in milliseconds, in sequence; `null` fails. */
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

test('returns the fastest round trip, ignoring the connection setup', async () => {
  const asked = network(3, 40, 25, 31)
  expect(await ping('fra.example.com', signal)).toBe(25)
  expect(asked).toEqual(Array.from({ length: 4 }, () => 'https://fra.example.com/healthz'))
})

test('throws when a request fails', async () => {
  network(30, null)
  await expect(ping('fra.example.com', signal)).rejects.toThrow('Failed to fetch')
})

test('rounds up to 1 ms for a server on the same machine', async () => {
  network(0.2, 0.2, 0.2, 0.2)
  expect(await ping('127.0.0.1:8080', signal)).toBe(1)
})
