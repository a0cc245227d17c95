import { expect, test } from 'vitest'
import { loadOnce } from './load-once.ts'

test('loads once for callers at the same time and later ones, and again after a failure', async () => {
  let loads = 0
  const load = loadOnce(async (name: string) => {
    if (++loads === 1) throw new Error('It is away')
    return `${name} ${loads}`
  })
  const first = [load('one'), load('two')]
  for (const one of first) await expect(one).rejects.toThrow('It is away')
  expect(await Promise.all([load('three'), load('four')])).toEqual(['three 2', 'three 2'])
  expect(await load('five')).toBe('three 2')
})
