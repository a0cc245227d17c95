// Upgrades and rollbacks of small releases: what is refused, what goes back by itself, what stays.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFile } from '#server/core/lock-file.ts'
import { newKey, resign, type SmallRelease, writeSmall } from './small-release.ts'
import { createStage, type Stage } from './stage.ts'

const [key, nextKey, foreign] = [newKey(), newKey(), newKey()]
const keys = [key, nextKey]
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

/** Runs a command, and looks at the machine after it. */
async function attempt(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { code, printed } = await stage.run(args, { env })
  return { code, printed, current: current(), installed: stage.installed(), ready: await stage.readyVersion() }
}

/** A refusal in words: nothing has changed. */
const refused = (words: string | RegExp) => ({
  code: 1,
  printed: expect.stringMatching(words),
  current: 'releases/1.0.0',
  installed: ['1.0.0'],
  ready: '1.0.0',
})

test('refuses archives that are changed, cut, foreign, renamed, older or of another architecture', async () => {
  const archive = writeSmall(stage.shelf, nextKey, next)
  const list = join(stage.shelf, 'relaydeck-1.1.0-SHA256SUMS')
  const whole = readFileSync(archive)
  truncateSync(archive, whole.length - 40)
  expect(await attempt(['upgrade', archive])).toEqual(refused('is damaged or incomplete'))
  writeFileSync(archive, Buffer.concat([whole, whole]))
  expect(await attempt(['upgrade', archive])).toEqual(refused('is damaged or incomplete|checksum differs'))
  writeFileSync(archive, whole)
  const [sums, signature] = [readFileSync(list), readFileSync(`${list}.minisig`, 'utf8')]
  writeFileSync(list, sums.toString().replace(/^./, '0'))
  expect(await attempt(['upgrade', archive])).toEqual(refused('is not signed by a key of this release'))
  writeFileSync(list, sums)
  writeFileSync(`${list}.minisig`, signature.replace('1.1.0', '1.1.1'))
  expect(await attempt(['upgrade', archive])).toEqual(refused('is not signed by a key of this release'))
  rmSync(`${list}.minisig`)
  expect(await attempt(['upgrade', archive])).toEqual(refused('minisig cannot be read'))
  const renamed = join(stage.shelf, 'relaydeck-1.2.0-linux-x64.tar.gz')
  copyFileSync(archive, renamed)
  copyFileSync(list, join(stage.shelf, 'relaydeck-1.2.0-SHA256SUMS'))
  writeFileSync(join(stage.shelf, 'relaydeck-1.2.0-SHA256SUMS.minisig'), signature)
  expect(await attempt(['upgrade', renamed])).toEqual(
    refused('is signed for "relaydeck 1.1.0", not for relaydeck 1.2.0'),
  )
  expect(await attempt(['upgrade', writeSmall(stage.shelf, foreign, { ...next, keys: [foreign] })])).toEqual(
    refused('is not signed by'),
  )
  expect(await attempt(['upgrade', writeSmall(stage.shelf, key, { ...old, version: '0.9.0' })])).toEqual(
    refused('is older than 1.0.0'),
  )
  expect(await attempt(['upgrade', writeSmall(stage.shelf, key, { ...next, arch: 'arm64' })])).toEqual(
    refused('The archive is for arm64, and this machine is x64'),
  )
  expect(await attempt(['upgrade', join(stage.shelf, 'some.tar.gz')])).toEqual(
    refused('does not have the name of a release'),
  )
  expect(await attempt(['upgrade', '--everything'])).toEqual(refused('Usage: relaydeck upgrade'))
})

/** A forged archive: Python's tarfile writes what the writer of releases cannot. */
const forge = (kind: string): string => `
import tarfile, io, sys
top = 'relaydeck-1.1.0-linux-x64'
source = tarfile.open(sys.argv[1])
with tarfile.open(sys.argv[2], 'w:gz', format=tarfile.USTAR_FORMAT) as out:
  for member in source.getmembers(): out.addfile(member, source.extractfile(member))
  def add(name, **more):
    info = tarfile.TarInfo(name)
    for field, value in more.items(): setattr(info, field, value)
    body = b'' if 'type' in more else b'forged'
    info.size = len(body)
    out.addfile(info, io.BytesIO(body))
  ${kind}
`

test.for([
  ['above the folder', `add(top + '/../../../../forged')`, 'is not a path below'],
  ['absolute', `add('/tmp/forged')`, 'is not a path below'],
  ['in another folder', `add('other/forged')`, 'is not a path below'],
  ['a symbolic link', `add(top + '/link', type=tarfile.SYMTYPE, linkname='/etc')`, 'is not a regular file'],
  ['a hard link', `add(top + '/link', type=tarfile.LNKTYPE, linkname='/etc/passwd')`, 'is not a regular file'],
  ['a device', `add(top + '/null', type=tarfile.CHRTYPE, devmajor=1, devminor=3)`, 'is not a regular file'],
  ['a second file of one name', `add(top + '/bin/node')`, 'EEXIST'],
  ['a file that MANIFEST lacks', `add(top + '/forged')`, 'forged was added'],
] as const)('refuses an archive with a path %s, also when it is signed', async ([, kind, words]) => {
  const good = writeSmall(join(stage.shelf, 'good'), key, next)
  const name = 'relaydeck-1.1.0-linux-x64.tar.gz'
  // Signed as it is: a stolen key must not write outside the folder either.
  const forged = writeSmall(stage.shelf, key, next)
  execFileSync('python3', ['-c', forge(kind), good, forged])
  resign(stage.shelf, '1.1.0', name, key)
  expect(await attempt(['upgrade', forged])).toEqual(refused(words))
})

test('reads the mirror of RELEASES_URL only when it is called, and says what to do without one', async () => {
  const RELEASES_URL = pathToFileURL(stage.shelf).href
  expect(await attempt(['upgrade'], { RELEASES_URL: '' })).toEqual(
    refused('Name the archive: relaydeck upgrade .* Or set RELEASES_URL'),
  )
  expect(await attempt(['upgrade', '1.1.0'], { RELEASES_URL: '' })).toEqual(refused('A version needs RELEASES_URL'))
  expect(await attempt(['upgrade', '1.1.0'], { RELEASES_URL })).toEqual(refused('cannot be read'))
  expect(await attempt(['upgrade'], { RELEASES_URL })).toEqual(refused('1.0.0 is already in use'))
  writeSmall(stage.shelf, key, next)
  expect(await stage.run(['upgrade', '--check'], { env: { RELEASES_URL } })).toMatchObject({
    code: 0,
    printed: expect.stringContaining('relaydeck-1.1.0-linux-x64.tar.gz is there, signed, and newer than 1.0.0'),
  })
  // A mirror that goes back to an older release, with its right signature.
  writeSmall(stage.shelf, key, { ...old, version: '0.9.0' })
  expect(await attempt(['upgrade'], { RELEASES_URL })).toEqual(refused('0.9.0 is older than 1.0.0'))
  expect(await stage.run(['upgrade', '1.1.0'], { env: { RELEASES_URL } })).toMatchObject({ code: 0 })
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

test.for(['silent', 'ends'] as const)('goes back by itself when the new release is %s', async (fault) => {
  await stage.write('before')
  const archive = writeSmall(stage.shelf, key, { ...raised, fault })
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

test('refuses a second upgrade while one runs', async () => {
  const unlock = lockFile(join(stage.opt, '.upgrade.lock'))
  expect(await attempt(['upgrade', writeSmall(stage.shelf, key, next)])).toEqual(
    refused('Another upgrade or rollback runs'),
  )
  unlock?.()
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
    await stage.run(['upgrade', '--downgrade', join(stage.shelf, 'relaydeck-1.0.0-linux-x64.tar.gz')]),
  ).toMatchObject({
    code: 0,
  })
  expect(await stage.readyVersion()).toBe('1.0.0')
})
