// Machines with little memory.
import { totalmem } from 'node:os'
import { expect, test } from 'vitest'
import { gibibyte, memoryBytes, smallMachine } from './small-machine.ts'

test('switches transcoders off below 1.5 GB, and says so', () => {
  expect(smallMachine(gibibyte, {})).toEqual({
    settings: { RELAY_TRANSCODERS: '0' },
    sentence: 'This machine has 1.0 GB of memory: RELAY_TRANSCODERS=0. Transcoders need 2 GB',
  })
  expect(smallMachine(1.5 * gibibyte, {})).toBe(null)
})

test('leaves what the operator has decided', () => {
  expect(smallMachine(gibibyte, { RELAY_TRANSCODERS: '1' })).toBe(null)
})

test('reads the memory of the machine, or less in a container', () => {
  expect(memoryBytes()).toBeGreaterThan(0)
  expect(memoryBytes()).toBeLessThanOrEqual(totalmem())
})
