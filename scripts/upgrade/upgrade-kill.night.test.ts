// Kills an upgrade at each step: the old or the new release works, nothing written is lost, and repeating goes on.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newKey, writeSmall } from './small-release.ts'
import { createStage, type Stage } from './stage.ts'

const key = newKey()
const old = { version: '1.0.0', migrations: ['0001-base'], keys: [key] }
/** Adds a table: 1.0.0 runs on its schema. */
const added = { version: '1.1.0', migrations: ['0001-base', '0002-table'], keys: [key] }
/** Replaces something: 1.0.0 does not run on its schema. */
const raised = { ...added, floor: '0002-table' }

let stage: Stage
beforeEach(async () => {
  stage = await createStage()
})
afterEach(() => stage.close())

/** Steps by the beginning of their line, and calls to the machine after they were done. */
const points = [
  '1/8',
  '2/8',
  '3/8',
  '4/8',
  '5/8',
  '6/8',
  '7/8',
  '8/8',
  'writeUnits',
  'restart',
  'startRelay',
  'drainRelay',
]

const works = async (notes: readonly string[], next: string) => {
  expect(['1.0.0', '1.1.0']).toContain(await stage.readyVersion())
  expect(await stage.write(next)).toEqual([...notes, next])
  return [...notes, next]
}

test.for(
  points.map((first, at) => ({
    first,
    second: points[(at + 5) % points.length] ?? '',
    release: at % 2 === 0 ? raised : added,
  })),
)('killed at $first, then at $second, upgrades when it is repeated', async ({ first, second, release }) => {
  await stage.begin(writeSmall(stage.shelf, key, old))
  const archive = writeSmall(stage.shelf, key, release)
  let notes = await works([], 'before')
  for (const killAt of [first, second]) {
    const { code, printed } = await stage.run(['upgrade', archive], { killAt })
    // The second run may pass without its point: what was done before is not done again.
    if (killAt === first) expect({ code, printed }).toMatchObject({ code: null })
    notes = await works(notes, `after-${killAt.replace('/', '-of-')}`)
  }
  const last = await stage.run(['upgrade', archive])
  if (last.code !== 0) expect(last.printed).toContain('1.1.0 is already in use')
  expect(await stage.readyVersion()).toBe('1.1.0')
  await works(notes, 'last')
  expect([stage.relays(), stage.installed()]).toEqual([['1.1.0'], ['1.0.0', '1.1.0']])
})

test.for(['5/8', '6/8', 'restart', '7/8'])('a rollback killed at %s goes on when it is repeated', async (killAt) => {
  await stage.begin(writeSmall(stage.shelf, key, old))
  await stage.readyVersion()
  await stage.run(['upgrade', writeSmall(stage.shelf, key, raised)])
  await stage.write('new')
  expect(await stage.run(['rollback', '--restore'], { killAt })).toMatchObject({ code: null })
  expect(['1.0.0', '1.1.0']).toContain(await stage.readyVersion())
  expect(await stage.run(['rollback', '--restore'])).toMatchObject({ code: 0 })
  expect(await stage.readyVersion()).toBe('1.0.0')
  expect(await stage.write('again')).toEqual(['again'])
  expect(stage.relays()).toEqual(['1.0.0'])
})

test('killed while it goes back, goes back when it is repeated', async () => {
  await stage.begin(writeSmall(stage.shelf, key, old))
  await stage.write('before')
  const archive = writeSmall(stage.shelf, key, { ...raised, fault: 'ends' })
  expect(await stage.run(['upgrade', archive], { killAt: 'Going back' })).toMatchObject({ code: null })
  const { code, printed } = await stage.run(['upgrade', archive])
  expect([code, printed]).toEqual([1, expect.stringContaining('1.0.0 is in use again, with the data of before')])
  expect(await stage.readyVersion()).toBe('1.0.0')
  expect(await stage.write('after')).toEqual(['before', 'after'])
})
