// Steps of a slow channel by a fast clock.
import { expect, test } from 'vitest'
import { Ladder } from './ladder.ts'

/** Runs seconds of a channel. @param dropsIn returns whether dropping begins in a second @returns the steps with their second */
function climb(seconds: number, dropsIn: (second: number, isLower: boolean) => boolean) {
  const ladder = new Ladder(3, 0)
  const steps: string[] = []
  let [drops, isLower] = [3, false]
  for (let second = 1; second <= seconds; second++) {
    const begins = dropsIn(second, isLower)
    if (begins) drops++
    const step = ladder.see({ drops, isDropping: begins, isLower }, second * 1000)
    if (step) {
      isLower = step === 'down'
      steps.push(`${step}@${second}`)
    }
  }
  return steps
}

test('a channel that never drops keeps its picture', () => {
  expect(climb(3_600, () => false)).toEqual([])
})

test('one drop takes the smaller picture, which stays for a minute', () => {
  expect(climb(3_600, (second) => second === 10)).toEqual(['down@10', 'up@70'])
})

test('a drop of the smaller picture begins the minute anew', () => {
  expect(climb(300, (second) => second === 10 || second === 40).slice(-1)).toEqual(['up@100'])
})

test('a line that never carries the larger picture is tried less and less often, up to each ten minutes', () => {
  const steps = climb(4 * 3_600, (second, isLower) => !isLower && second % 3 === 0)
  const returns = steps.filter((step) => step.startsWith('up')).map((step) => Number(step.slice(3)))
  const waits = returns.slice(1).map((at, index) => at - (returns[index] ?? 0))
  expect(waits.slice(0, 4).map((wait) => Math.round(wait / 60))).toEqual([2, 4, 8, 10])
  expect(Math.min(...waits.slice(3))).toBeGreaterThanOrEqual(600)
  // Four hours without an end: two steps each ten minutes at most.
  expect(steps.length).toBeLessThan(60)
})

test('a return that holds for ten minutes counts from a minute again', () => {
  const steps = climb(7_200, (second) => [10, 75, 1_000].includes(second))
  expect(steps).toEqual(['down@10', 'up@70', 'down@75', 'up@195', 'down@1000', 'up@1060'])
})

test('many drops within seconds are one step', () => {
  expect(climb(12, (second) => second >= 10)).toEqual(['down@10'])
})

test('a clock that is set back does not freeze the ladder', () => {
  const ladder = new Ladder(0, 1_000_000)
  expect(ladder.see({ drops: 1, isDropping: false, isLower: false }, 1_000_000)).toBe('down')
  expect(ladder.see({ drops: 1, isDropping: false, isLower: true }, 0)).toBeNull()
  expect(ladder.see({ drops: 1, isDropping: false, isLower: true }, 59_000)).toBeNull()
  expect(ladder.see({ drops: 1, isDropping: false, isLower: true }, 60_000)).toBe('up')
})
