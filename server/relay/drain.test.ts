// Drain of a node, by the second.
import { expect, test } from 'vitest'
import { createDrain } from './drain.ts'

/** A node with projects, whose encoders do or do not leave. */
function node(count: number, leaves = true) {
  let now = 0
  let on = Array.from({ length: count }, (_, at) => at + 1)
  const disconnected: number[] = []
  let [done, changes] = [0, 0]
  const drain = createDrain({
    projects: () => on,
    disconnect(projectId) {
      disconnected.push(projectId)
      if (leaves) on = on.filter((one) => one !== projectId)
    },
    onChange: () => changes++,
    onDone: () => done++,
    now: () => now,
  })
  return {
    drain,
    disconnected,
    done: () => done,
    changes: () => changes,
    end: () => (on = []),
    seconds(number: number) {
      for (let n = 0; n < number; n++) {
        now += 1_000
        drain.watch()
      }
    },
  }
}

test('ends when its last broadcast has ended, before the deadline, and once', () => {
  const { drain, seconds, done, end, disconnected } = node(2)
  drain.begin(60_000)
  seconds(10)
  expect(done()).toBe(0)
  end()
  seconds(3)
  expect(done()).toBe(1)
  expect(disconnected).toEqual([])
})

test('accepts again after a cancel, and never ends then', () => {
  const { drain, seconds, done, end, changes } = node(1)
  drain.begin(60_000)
  expect(drain.until()).toBe(60_000)
  drain.cancel()
  expect(drain.until()).toBe(null)
  end()
  seconds(120)
  expect(done()).toBe(0)
  expect(changes()).toBe(2)
})

test('at the deadline disconnects encoders one after another within a minute', () => {
  const { drain, seconds, done, disconnected } = node(120)
  drain.begin(10_000)
  seconds(9)
  expect(disconnected).toEqual([])
  expect(drain.isOver()).toBe(false)
  seconds(1)
  expect(disconnected).toHaveLength(2)
  expect(drain.isOver()).toBe(true)
  seconds(58)
  expect(disconnected).toHaveLength(118)
  expect(done()).toBe(0)
  seconds(1)
  expect(new Set(disconnected).size).toBe(120)
  expect(done()).toBe(1)
})

test.each(['is cancelled', 'gets a later deadline'])(
  'keeps the encoders that are left when it %s after its deadline',
  (what) => {
    const { drain, seconds, done, disconnected } = node(120)
    drain.begin(0)
    seconds(1)
    expect(disconnected).toHaveLength(2)
    if (what === 'is cancelled') drain.cancel()
    else drain.begin(3_600_000)
    expect([drain.isOver(), drain.until() === null]).toEqual([false, what === 'is cancelled'])
    seconds(300)
    expect(disconnected).toHaveLength(2)
    expect(done()).toBe(0)
    drain.begin(0)
    seconds(60)
    expect(new Set(disconnected).size).toBe(120)
    expect(done()).toBe(1)
  },
)

test('ends within a minute and five seconds of the deadline, even if broadcasts do not', () => {
  const { drain, seconds, done } = node(50, false)
  drain.begin(0)
  seconds(64)
  expect(done()).toBe(1)
})

test('ends immediately without a broadcast', () => {
  const { drain, seconds, done } = node(0)
  drain.begin(3_600_000)
  seconds(1)
  expect(done()).toBe(1)
})
