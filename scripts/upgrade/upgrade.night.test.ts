// Upgrades and rollbacks of small releases: refusals of the new release, ways back, removal of old releases.
import { mkdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newKey, type SmallRelease, writeSmall } from './small-release.ts'
import { createStage, type Stage } from './stage.ts'

const key = newKey()
const keys = [key]
const old: SmallRelease = { version: '1.0.0', migrations: ['0001-base'], keys }
const next: SmallRelease = { version: '1.1.0', migrations: ['0001-base', '0002-table'], keys }
const raised: SmallRelease = { ...next, floor: '0002-table' }

let stage: Stage
beforeEach(async () => {
  stage = await createStage()
  await stage.begin(writeSmall(stage.shelf, key, old))
})
afterEach(() => stage.close())

const current = () => readlinkSync(join(stage.opt, 'current'))

test('installs the release of a mirror', async () => {
  writeSmall(stage.shelf, key, next)
  const env = { RELEASES_URL: pathToFileURL(stage.shelf).href }
  expect(await stage.run(['upgrade', '1.1.0'], { env })).toMatchObject({ code: 0 })
  expect(current()).toBe('releases/1.1.0')
})

test('installs an older release with --downgrade, where it knows the schema', async () => {
  const archive = writeSmall(stage.shelf, key, { ...old, version: '0.9.0' })
  expect(await stage.run(['upgrade', '--downgrade', archive])).toMatchObject({ code: 0 })
  expect(await stage.readyVersion()).toBe('0.9.0')
})

test('refuses what the new release finds: settings, room, and a disk that fills', async () => {
  const refusing = writeSmall(stage.shelf, key, { ...next, fault: 'refuses' })
  const { code, printed } = await stage.run(['upgrade', refusing])
  expect([code, printed]).toEqual([1, expect.stringContaining('so 1.0.0 stays in use: PORT must be an integer')])
  const archive = writeSmall(stage.shelf, key, next)
  writeFileSync(join(stage.data, 'little-room'), '')
  expect((await stage.run(['upgrade', archive])).printed).toContain('need twice the size of the database')
  rmSync(join(stage.data, 'little-room'))
  mkdirSync(join(stage.data, 'backups', 'full'), { recursive: true })
  expect((await stage.run(['upgrade', archive])).printed).toContain(
    'The backup failed, so 1.0.0 stays in use: The disk',
  )
  expect([current(), await stage.readyVersion()]).toEqual(['releases/1.0.0', '1.0.0'])
  rmSync(join(stage.data, 'backups', 'full'), { recursive: true })
  expect(await stage.run(['upgrade', archive])).toMatchObject({ code: 0 })
})

test('goes back by itself when the new release does not become ready', async () => {
  await stage.write('before')
  const archive = writeSmall(stage.shelf, key, { ...raised, fault: 'silent' })
  const { code, printed } = await stage.run(['upgrade', archive], { env: { READY_MS: '8000' } })
  expect([code, printed]).toEqual([1, expect.stringContaining('1.0.0 is in use again, with the data of before')])
  expect([current(), await stage.readyVersion(), stage.relays()]).toEqual(['releases/1.0.0', '1.0.0', ['1.0.0']])
  expect(await stage.write('after')).toEqual(['before', 'after'])
  expect(await stage.run(['upgrade', writeSmall(stage.shelf, key, { ...raised, version: '1.1.1' })])).toMatchObject({
    code: 0,
  })
})

test('keeps the old relay when the new one does not connect', async () => {
  const { code, printed } = await stage.run([
    'upgrade',
    writeSmall(stage.shelf, key, { ...next, fault: 'lonely relay' }),
  ])
  expect([code, printed]).toEqual([1, expect.stringContaining('so the relay before stays')])
  expect([await stage.readyVersion(), stage.relays()]).toEqual(['1.1.0', ['1.0.0']])
})

test('rolls back by the link where the old release knows the schema', async () => {
  await stage.run(['upgrade', writeSmall(stage.shelf, key, next)])
  await stage.write('new')
  expect(await stage.run(['rollback'])).toMatchObject({ code: 0 })
  expect([await stage.readyVersion(), stage.relays()]).toEqual(['1.0.0', ['1.0.0']])
  expect(await stage.write('old')).toEqual(['new', 'old'])
  expect(await stage.run(['rollback'])).toMatchObject({
    code: 1,
    printed: expect.stringContaining('has no release before'),
  })
})

test('keeps three releases, and those that a process uses', async () => {
  for (const version of ['1.1.0', '1.2.0', '1.3.0', '1.4.0'])
    expect(await stage.run(['upgrade', writeSmall(stage.shelf, key, { ...next, version })])).toMatchObject({ code: 0 })
  expect(stage.installed()).toEqual(['1.2.0', '1.3.0', '1.4.0'])
})

test('replaces a release of the same version that was changed on the disk, and refuses to roll back to one', async () => {
  const archive = writeSmall(stage.shelf, key, next)
  await stage.run(['upgrade', archive])
  renameSync(join(stage.opt, 'releases/1.0.0/small.json'), join(stage.opt, 'releases/1.0.0/other.json'))
  expect((await stage.run(['rollback'])).printed).toContain('is not as it was released: small.json is missing')
  expect(
    await stage.run(['upgrade', '--downgrade', join(stage.shelf, `relaydeck-1.0.0-linux-${process.arch}.tar.gz`)]),
  ).toMatchObject({
    code: 0,
  })
  expect(await stage.readyVersion()).toBe('1.0.0')
})
