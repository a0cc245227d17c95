// Limits of connections that have not authenticated.
import { expect, test } from 'vitest'
import type { Closing } from './protocol.ts'
import { type Unauthenticated, UnauthenticatedConnections } from './unauthenticated.ts'

const limits = { perNetwork: 2, inTotal: 4, minAgeMs: 1_000 }

function scene() {
  const unauthenticated = new UnauthenticatedConnections(limits)
  const closed: (readonly [string, number])[] = []
  function come(network: string, openedAt: number): Unauthenticated | null {
    if (!unauthenticated.admit(network, openedAt)) return null
    const one = { network, openedAt, close: ([code]: Closing) => void closed.push([`${network} ${openedAt}`, code]) }
    unauthenticated.add(one)
    return one
  }
  return { unauthenticated, closed, come }
}

test('closes the oldest connection of a full network so that its client reconnects', () => {
  const { come, closed } = scene()
  come('a', 0)
  come('b', 1)
  come('a', 2)
  expect(come('a', 1_000)).not.toBe(null)
  expect(closed).toEqual([['a 0', 3011]])
})

test('refuses a network that fills up within a second, and no other', () => {
  const { come, closed } = scene()
  come('a', 0)
  come('a', 1)
  expect(come('a', 999)).toBe(null)
  expect(come('b', 999)).not.toBe(null)
  expect(closed).toEqual([])
})

test('closes the oldest connection of all when many networks fill the hub', () => {
  const { come, closed } = scene()
  for (const [at, network] of ['a', 'b', 'c', 'd'].entries()) come(network, at)
  expect(come('e', 999)).toBe(null)
  expect(come('e', 1_000)).not.toBe(null)
  expect(closed).toEqual([['a 0', 3011]])
})

test('counts no connection that has authenticated or closed', () => {
  const { come, unauthenticated, closed } = scene()
  for (let at = 0; at < 10; at++) unauthenticated.delete(come('a', at)!)
  expect(come('a', 10)).not.toBe(null)
  expect(closed).toEqual([])
})
