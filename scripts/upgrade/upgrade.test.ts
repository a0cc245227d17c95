// An upgrade that raises the floor of the schema: killed while the service is held, rolled back with its losses, and one that fails.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newKey, type SmallRelease, writeSmall } from './small-release.ts'
import { createStage, type Stage } from './stage.ts'

const key = newKey()
const old: SmallRelease = { version: '1.0.0', migrations: ['0001-base'], keys: [key] }
const raised: SmallRelease = {
  version: '1.1.0',
  migrations: ['0001-base', '0002-table'],
  floor: '0002-table',
  keys: [key],
}

let stage: Stage
beforeEach(async () => {
  stage = await createStage()
  await stage.begin(writeSmall(stage.shelf, key, old))
})
afterEach(() => stage.close())

test('killed in the fifth step, starts the service again, and goes on when it is repeated', async () => {
  expect(await stage.write('before')).toEqual(['before'])
  const archive = writeSmall(stage.shelf, key, raised)
  expect(await stage.run(['upgrade', archive], { killAt: '5/8' })).toMatchObject({ code: null })
  expect(['1.0.0', '1.1.0']).toContain(await stage.readyVersion())
  expect(await stage.write('after')).toEqual(['before', 'after'])
  expect(await stage.run(['upgrade', archive])).toMatchObject({ code: 0 })
  expect(await stage.readyVersion()).toBe('1.1.0')
  expect(await stage.write('last')).toEqual(['before', 'after', 'last'])
  expect([stage.relays(), stage.installed()]).toEqual([['1.1.0'], ['1.0.0', '1.1.0']])
})

test('goes back by itself, with the data of before, when the new release ends', async () => {
  await stage.write('before')
  const { code, printed } = await stage.run(['upgrade', writeSmall(stage.shelf, key, { ...raised, fault: 'ends' })])
  expect([code, printed]).toEqual([1, expect.stringContaining('1.0.0 is in use again, with the data of before')])
  expect([await stage.readyVersion(), stage.relays()]).toEqual(['1.0.0', ['1.0.0']])
  expect(await stage.write('after')).toEqual(['before', 'after'])
})

test('lists what a rollback below the floor would lose, and restores the backup with --restore', async () => {
  await stage.write('kept')
  await stage.run(['upgrade', writeSmall(stage.shelf, key, raised)])
  await stage.write('lost')
  const { code, printed } = await stage.run(['rollback'])
  expect([code, printed]).toEqual([1, expect.stringContaining('notes: 1 more rows')])
  expect(await stage.readyVersion()).toBe('1.1.0')
  expect(await stage.run(['rollback', '--restore'])).toMatchObject({ code: 0 })
  expect(await stage.readyVersion()).toBe('1.0.0')
  expect(await stage.write('again')).toEqual(['kept', 'again'])
})
