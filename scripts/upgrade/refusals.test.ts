// Archives, mirrors and commands that an upgrade refuses before it changes anything.
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runUpgrade } from '#server/app/ops/upgrade/commands.ts'
import type { Machine } from '#server/app/ops/upgrade/machine.ts'
import { placeIn } from '#server/app/ops/upgrade/place.ts'
import { UpgradeError } from '#server/app/ops/upgrade/upgrade-error.ts'
import { lockFile } from '#server/core/lock-file.ts'
import { tarGz } from '#scripts/release/tar.ts'
import { installSmall, newKey, resign, type SmallRelease, writeSmall } from './small-release.ts'

const [key, nextKey, foreign] = [newKey(), newKey(), newKey()]
const keys = [key, nextKey]
const old: SmallRelease = { version: '1.0.0', migrations: ['0001-base'], keys }
const next: SmallRelease = { version: '1.1.0', migrations: ['0001-base', '0002-table'], keys }

let folder: string
let opt: string
let shelf: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'relaydeck-refusals-'))
  ;[opt, shelf] = [join(folder, 'opt'), join(folder, 'shelf')]
  await installSmall(opt, writeSmall(shelf, key, old))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A refusal does not touch the units and the processes of the machine. */
const untouched = { used: async () => new Set(['1.0.0']) } as Partial<Machine> as Machine

/** Runs an upgrade. @returns its output, or the sentence of its refusal after a look at the machine */
async function upgrade(...words: readonly string[]): Promise<string> {
  let printed = ''
  const work = { place: placeIn(opt), machine: untouched, say: (line: string) => void (printed += `${line}\n`) }
  try {
    await runUpgrade(work, words)
    return printed
  } catch (error) {
    expect(error).toBeInstanceOf(UpgradeError)
    expect(readlinkSync(join(opt, 'current'))).toBe('releases/1.0.0')
    expect(readdirSync(join(opt, 'releases'))).toEqual(['1.0.0'])
    return (error as Error).message
  }
}

test('refuses archives that are changed, cut, foreign, renamed, older or of another architecture', async () => {
  const archive = writeSmall(shelf, nextKey, next)
  const list = join(shelf, 'relaydeck-1.1.0-SHA256SUMS')
  const whole = readFileSync(archive)
  truncateSync(archive, whole.length - 40)
  expect(await upgrade(archive)).toContain('is damaged or incomplete')
  writeFileSync(archive, Buffer.concat([whole, whole]))
  expect(await upgrade(archive)).toMatch(/is damaged or incomplete|checksum differs/)
  writeFileSync(archive, whole)
  const [sums, signature] = [readFileSync(list), readFileSync(`${list}.minisig`, 'utf8')]
  writeFileSync(
    list,
    sums.toString().replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
  )
  expect(await upgrade(archive)).toContain('is not signed by a key of this release')
  writeFileSync(list, sums)
  writeFileSync(`${list}.minisig`, signature.replace('1.1.0', '1.1.1'))
  expect(await upgrade(archive)).toContain('is not signed by a key of this release')
  rmSync(`${list}.minisig`)
  expect(await upgrade(archive)).toContain('minisig cannot be read')
  const renamed = join(shelf, `relaydeck-1.2.0-linux-${process.arch}.tar.gz`)
  copyFileSync(archive, renamed)
  copyFileSync(list, join(shelf, 'relaydeck-1.2.0-SHA256SUMS'))
  writeFileSync(join(shelf, 'relaydeck-1.2.0-SHA256SUMS.minisig'), signature)
  expect(await upgrade(renamed)).toContain('is signed for "relaydeck 1.1.0", not for relaydeck 1.2.0')
  expect(await upgrade(writeSmall(shelf, foreign, { ...next, keys: [foreign] }))).toContain('is not signed by')
  expect(await upgrade(writeSmall(shelf, key, { ...old, version: '0.9.0' }))).toContain('is older than 1.0.0')
  const other = process.arch === 'x64' ? 'arm64' : 'x64'
  expect(await upgrade(writeSmall(shelf, key, { ...next, arch: other }))).toContain(
    `The archive is for ${other}, and this machine is ${process.arch}`,
  )
  expect(await upgrade(join(shelf, 'some.tar.gz'))).toContain('does not have the name of a release')
  expect(await upgrade('--everything')).toContain('Usage: relaydeck upgrade')
})

/**
 * Adds an entry that the writer of releases cannot write: its name, its type in ustar (0 for a file), the target of a link.
 */
function forge(archive: string, [name = '', type = '0', target = '']: readonly string[]): Buffer {
  const entry = gunzipSync(tarGz(new Map([['forged', { content: Buffer.from(type === '0' ? 'forged' : '') }]]), 0))
  entry.fill(0, 0, 100).write(name)
  entry.write(type, 156)
  entry.write(target, 157)
  entry.fill(' ', 148, 156)
  const sum = entry.subarray(0, 512).reduce((all, byte) => all + byte, 0)
  entry.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const end = 2 * 512
  return gzipSync(Buffer.concat([gunzipSync(readFileSync(archive)).subarray(0, -end), entry]))
}

const top = `relaydeck-1.1.0-linux-${process.arch}`

test.for([
  ['above the folder', [`${top}/../../../../forged`], 'is not a path below'],
  ['absolute', ['/tmp/forged'], 'is not a path below'],
  ['in another folder', ['other/forged'], 'is not a path below'],
  ['a symbolic link', [`${top}/link`, '2', '/etc'], 'is not a regular file'],
  ['a hard link', [`${top}/link`, '1', '/etc/passwd'], 'is not a regular file'],
  ['a device', [`${top}/null`, '3'], 'is not a regular file'],
  ['a second file of one name', [`${top}/bin/node`], 'EEXIST'],
  ['a file that MANIFEST lacks', [`${top}/forged`], 'forged was added'],
] as const)('refuses an archive with a path %s, also when it is signed', async ([, entry, words]) => {
  // Signed as it is: a stolen key must not write outside the folder either.
  const forged = writeSmall(shelf, key, next)
  writeFileSync(forged, forge(forged, entry))
  resign(shelf, '1.1.0', `${top}.tar.gz`, key)
  expect(await upgrade(forged)).toContain(words)
})

test('reads the mirror of RELEASES_URL only when it is called, and says what to do without one', async () => {
  expect(await upgrade()).toMatch(/Name the archive: relaydeck upgrade .* Or set RELEASES_URL/)
  expect(await upgrade('1.1.0')).toContain('A version needs RELEASES_URL')
  vi.stubEnv('RELEASES_URL', pathToFileURL(shelf).href)
  expect(await upgrade('1.1.0')).toContain('cannot be read')
  expect(await upgrade()).toContain('1.0.0 is already in use')
  writeSmall(shelf, key, next)
  expect(await upgrade('--check')).toContain(
    `relaydeck-1.1.0-linux-${process.arch}.tar.gz is there, signed, and newer than 1.0.0`,
  )
  // A mirror that goes back to an older release, with its right signature.
  writeSmall(shelf, key, { ...old, version: '0.9.0' })
  expect(await upgrade()).toContain('0.9.0 is older than 1.0.0')
})

test('refuses a second upgrade while one runs', async () => {
  const unlock = lockFile(join(opt, '.upgrade.lock'))
  expect(await upgrade(writeSmall(shelf, key, next))).toContain('Another upgrade or rollback runs')
  unlock?.()
})
