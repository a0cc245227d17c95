import { expect, test } from 'vitest'
import { healthOf, platformQuality, serverQuality } from './health.ts'

test.each([
  [{ network: 0, cpu: 0, ram: 0, delivered: 100 }, 100, 'good'],
  [{ network: 10, cpu: 50, ram: 50, delivered: 100 }, 100, 'good'],
  [{ network: 65, cpu: 10, ram: 10, delivered: 100 }, 70, 'good'],
  [{ network: 10, cpu: 66, ram: 10, delivered: 100 }, 68, 'problem'],
  [{ network: 10, cpu: 10, ram: 80, delivered: 100 }, 40, 'problem'],
  [{ network: 10, cpu: 10, ram: 81, delivered: 100 }, 38, 'bad'],
  [{ network: 10, cpu: 10, ram: 10, delivered: 98 }, 90, 'good'],
  [{ network: 10, cpu: 10, ram: 10, delivered: 92 }, 60, 'problem'],
  // The worse of the two counts, not their sum.
  [{ network: 60, cpu: 10, ram: 10, delivered: 94 }, 70, 'good'],
  [{ network: 100, cpu: 100, ram: 100, delivered: 0 }, 0, 'bad'],
] as const)('%j is worth %i: %s', (loads, quality, health) => {
  expect(serverQuality(loads)).toBe(quality)
  expect(healthOf(quality)).toBe(health)
})

test('reconnects to a platform cost as much as lost packets', () => {
  expect(platformQuality(100, 0)).toBe(100)
  expect(platformQuality(98, 1)).toBe(85)
  expect(platformQuality(50, 9)).toBe(0)
})
