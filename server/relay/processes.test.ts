// Names of relay processes.
import { expect, test } from 'vitest'
import { nodeOptions } from './options.ts'

const read = (env: Readonly<Record<string, string>>) =>
  nodeOptions({ RELAY_NAME: 'fra-1', ...env }, { log: () => undefined, onQuit: () => undefined })

test.each([
  [{}, 'fra-1', false],
  [{ RELAY_GENERATION: '1.2.0' }, 'fra-1-1.2.0-1', true],
  [{ RELAY_GENERATION: '1.2.0', RELAY_PROCESSES: '4', RELAY_PROCESS: '2' }, 'fra-1-1.2.0-2', true],
  [{ RELAY_GENERATION: '1.2.0-RC.1+b7' }, 'fra-1-1.2.0-rc.1-b7-1', true],
  [{ RELAY_PROCESSES: '2', RELAY_PROCESS: '2' }, 'fra-1-2', true],
])('names a process: %j', (env, name, shared) => {
  const { about, isShared } = read(env)
  expect([about.node, about.machine, isShared]).toEqual([name, 'fra-1', shared])
})

test('divides the limits of the machine among its processes', () => {
  const limits = ['1', '2', '3'].map((RELAY_PROCESS) => {
    const env = { RELAY_PROCESSES: '3', RELAY_PROCESS, RELAY_TRANSCODERS: '4', RELAY_EGRESS_MAX: '100' }
    const { transcoders, egressKbps } = read(env)
    return [transcoders, egressKbps]
  })
  expect(limits).toEqual([
    [2, 33_334],
    [1, 33_333],
    [1, 33_333],
  ])
})

test('refuses a name that leaves no room for the process', () => {
  expect(() => read({ RELAY_NAME: 'a'.repeat(60), RELAY_GENERATION: '1.2.0' })).toThrow('at most 56 characters')
})
