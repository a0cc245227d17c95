// Capacity of a relay: injected loads, and the thread of a real busy process.
import { spawn } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { createCapacity } from './capacity.ts'

/** Returns the seconds, from 1, after which the relay is full. */
function fullAfter(loads: readonly number[]): number[] {
  const left = [...loads]
  const capacity = createCapacity(() => left.shift() ?? 0)
  return loads.flatMap((_, index) => {
    capacity.measure()
    return capacity.isFull() ? index + 1 : []
  })
}
const times = (count: number, load: number) => Array.from({ length: count }, () => load)

test('is full after ten seconds above 85 %, and ceases when the average falls', () => {
  expect(fullAfter(times(12, 0.9))).toEqual([10, 11, 12])
  expect(fullAfter(times(30, 0.85))).toEqual([])
  expect(fullAfter([...times(8, 1), ...times(20, 0.2)])).toEqual([])
  expect(fullAfter([...times(10, 0.9), 0.5, 0.2, 0.2])).toEqual([10, 11])
})

test('reports each change', () => {
  const loads = [...times(11, 1), ...times(10, 0)]
  let changes = 0
  const capacity = createCapacity(
    () => loads.shift() ?? 0,
    () => changes++,
  )
  for (let second = 0; second < 21; second++) capacity.measure()
  expect(changes).toBe(2)
  expect(capacity.isFull()).toBe(false)
})

test('measures the thread of one busy process, not the machine', { timeout: 30_000 }, async () => {
  const program = `
    import { createCapacity } from '${import.meta.resolve('./capacity.ts')}'
    const capacity = createCapacity(undefined, () => console.log(capacity.isFull()))
    const begun = Date.now()
    setInterval(() => capacity.measure(), 100)
    setInterval(() => {
      for (const end = performance.now() + 24; Date.now() - begun < 4_000 && performance.now() < end; );
    }, 25)
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', program])
  onTestFinished(() => void child.kill())
  const printed: string[] = []
  await new Promise<void>((resolve) =>
    child.stdout.on('data', (data: Buffer) => {
      printed.push(...data.toString().trim().split('\n'))
      if (printed.includes('false')) resolve()
    }),
  )
  expect(printed).toEqual(['true', 'false'])
})
