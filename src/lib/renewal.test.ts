import { expect, test } from 'vitest'
import { renewalOf } from './renewal.ts'

const end = '2026-12-01T00:00:00.000Z'
const at = (hoursBefore: number) => Date.parse(end) - hoursBefore * 3_600_000

test.each([
  { isOn: false, hours: 200, prospect: 'off' },
  { isOn: true, hours: 200, prospect: 'expected' },
  { isOn: true, hours: 71.5, prospect: 'expected' },
  { isOn: true, hours: 71, prospect: 'late' },
  { isOn: true, hours: 2, prospect: 'late' },
  { isOn: true, hours: -1, prospect: 'late' },
])('renewal on $isOn, $hours hours before the end: $prospect', ({ isOn, hours, prospect }) => {
  expect(renewalOf({ isOn, end }, at(hours))).toBe(prospect)
})
