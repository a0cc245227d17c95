// Rate limits: networks in every spelling of an address, and guesses over replicas.
import { isIPv6 } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBus } from './bus.ts'
import { movableClock } from './clock.ts'
import { createLimits, isOverGuesses, isOverLimit, networkOf } from './limits.ts'

const group = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.nat({ max: 0xffff }) })
const eight = fc.tuple(group, group, group, group, group, group, group, group)
type Eight = readonly number[]

/** One way to write an address: which zeros are left out, width of a group, upper case, dotted end, zone. */
interface Style {
  readonly from: number
  readonly length: number
  readonly width: number
  readonly upper: boolean
  readonly dotted: boolean
  readonly zone: string
}
const style: fc.Arbitrary<Style> = fc.record({
  from: fc.nat({ max: 7 }),
  length: fc.nat({ max: 8 }),
  width: fc.constantFrom(1, 4),
  upper: fc.boolean(),
  dotted: fc.boolean(),
  zone: fc.constantFrom('', '%eth0', '%25'),
})

function spell(groups: Eight, { from, length, width, upper, dotted, zone }: Style): string {
  const words = groups.map((one) => one.toString(16).padStart(width, '0'))
  const [high = 0, low = 0] = groups.slice(6)
  if (dotted) words.splice(6, 2, [high >> 8, high & 255, low >> 8, low & 255].join('.'))
  const run = groups.slice(from, from + length)
  const end = Math.min(from + run.length, words.length)
  const isOmittable = run.length > 1 && run.every((one) => one === 0) && !(dotted && from + run.length > 6)
  const text = isOmittable ? `${words.slice(0, from).join(':')}::${words.slice(end).join(':')}` : words.join(':')
  return (upper ? text.toUpperCase() : text) + zone
}

test('counts all spellings of the addresses of a /64 as one network', () => {
  fc.assert(
    fc.property(eight, eight, style, style, (groups, others, one, another) => {
      const host = [...groups.slice(0, 4), ...others.slice(4)]
      fc.pre(![groups, host].some(isMapped))
      const [first, second] = [spell(groups, one), spell(host, another)]
      expect([first, second].map((text) => isIPv6(text.split('%', 1)[0] ?? ''))).toEqual([true, true])
      expect(networkOf(second)).toBe(networkOf(first))
    }),
    { numRuns: 2000 },
  )
})

test('counts two /64 as two networks', () => {
  fc.assert(
    fc.property(eight, eight, style, style, (groups, others, one, another) => {
      fc.pre(groups.slice(0, 4).join() !== others.slice(0, 4).join())
      expect(networkOf(spell(others, another))).not.toBe(networkOf(spell(groups, one)))
    }),
    { numRuns: 2000 },
  )
})

test('counts an IPv4-mapped IPv6 address as the IPv4 address', () => {
  fc.assert(
    fc.property(fc.nat({ max: 0xffff }), fc.nat({ max: 0xffff }), style, (high, low, one) => {
      const dotted = [high >> 8, high & 255, low >> 8, low & 255].join('.')
      expect(networkOf(spell([0, 0, 0, 0, 0, 0xffff, high, low], one))).toBe(dotted)
      expect(networkOf(dotted)).toBe(dotted)
    }),
  )
})

/** `::ffff:0:0/96`: an IPv4 address. */
const isMapped = (groups: Eight) => groups.slice(0, 5).every((one) => one === 0) && groups[5] === 0xffff

test('replicas refuse the guess after the last allowed one, and count other calls for themselves', async () => {
  const clock = movableClock(new Date('2026-03-01T10:00:00.000Z'))
  const bus = createBus(null, () => undefined)
  const [one, other] = [createLimits(clock, bus), createLimits(clock, bus)]
  const [guess, call] = [
    (at: typeof one) => isOverGuesses(at, 'key', 4),
    (at: typeof one) => isOverLimit(at, 'call', 2),
  ]
  expect([one, other, one, other].map(guess)).toEqual([false, false, false, false])
  expect([one, other, one, other].map(call)).toEqual([false, false, false, false])
  // Guesses are collected for some milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect([one, other].map(guess)).toEqual([true, true])
  expect([one, other].map(call)).toEqual([true, true])
  clock.advance(60_000)
  expect([one, other].map(guess)).toEqual([false, false])
})
