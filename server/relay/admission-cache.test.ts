import { expect, test } from 'vitest'
import { AdmissionCache } from './admission-cache.ts'

const known = () => new AdmissionCache<{ projectId: number; wait: number }>()

test('recognises an encoder by its key, with the latest desired state, while the project is on air', () => {
  const some = known()
  some.add({ projectId: 7, wait: 1 }, 'key of 7', false)
  some.add({ projectId: 8, wait: 1 }, 'key of 8', false)
  some.update({ projectId: 7, wait: 2 })
  some.update({ projectId: 9, wait: 2 })
  expect(some.byKey('key of 7')).toEqual({ projectId: 7, wait: 2 })
  expect([some.byKey('key of 9'), some.byKey('')]).toEqual([null, null])
  some.keep([8])
  expect(some.byKey('key of 7')).toBe(null)
  some.refuse('key of 7')
  expect(some.byKey('key of 8')).toBeTruthy()
  some.refuse('key of 8')
  expect(some.byKey('key of 8')).toBe(null)
})

test('returns a key only for an encoder that encrypts by it', () => {
  const some = known()
  some.add({ projectId: 7, wait: 1 }, 'said', false)
  some.add({ projectId: 8, wait: 1 }, 'kept', true)
  expect([7, 8, 9].map((project) => some.keyOf(project))).toEqual([null, 'kept', null])
  // A backup encoder with the same key, which does not encrypt.
  some.add({ projectId: 8, wait: 1 }, 'kept', false)
  expect(some.keyOf(8)).toBe('kept')
  some.add({ projectId: 8, wait: 1 }, 'other', false)
  expect(some.keyOf(8)).toBe(null)
})
