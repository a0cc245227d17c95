// Small releases for tests of upgrades: real archives with a real signature, whose program has a real SQLite file, a server and a
// relay, and no more. Their file `small.json` says which migrations they have and how they fail.
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { keyLine } from '#server/app/ops/minisign.ts'
import { keyFile } from '#server/app/ops/release.ts'
import { unpackRelease } from '#server/app/ops/upgrade/unpack.ts'
import { pack, type Packed, write } from '#scripts/release/main.ts'
import type { Files } from '#scripts/release/contents.ts'

export interface SmallRelease {
  readonly version: string
  readonly arch?: 'x64' | 'arm64'
  /** Names in order. Each adds a table. */
  readonly migrations: readonly string[]
  readonly floor?: string
  /** Way to fail: it never becomes ready, it ends, it refuses the settings, its relay does not connect. */
  readonly fault?: 'silent' | 'ends' | 'refuses' | 'lonely relay'
  /** Public keys that it accepts releases of. */
  readonly keys: readonly KeyObject[]
  /** Changes its files before they are packed. */
  readonly change?: (files: Files) => void
}

export const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey

const program = readFileSync(new URL('small-program.mjs', import.meta.url))
/** `bin/relaydeck serve` starts the supervisor. Units of a machine restart, so that of a small release only serves. */
const supervisor = "process.argv[2] = 'serve'\nawait import('./relaydeck.js')\n"
const text = (content: string) => ({ content: Buffer.from(content) })

/** Packs a small release. */
export function packSmall({
  version,
  arch = process.arch as 'x64' | 'arm64',
  migrations,
  floor = '',
  fault,
  keys,
  change,
}: SmallRelease): Packed {
  const files: Files = new Map()
  files.set('bin/node', { ...text(`#!/bin/sh\nexec "${process.execPath}" "$@"\n`), isProgram: true })
  files.set('bin/relaydeck', { content: readFileSync('deploy/relaydeck.sh'), isProgram: true })
  files.set('dist/service/relaydeck.js', { content: program })
  files.set('dist/service/supervisor.js', text(supervisor))
  files.set('package.json', text('{ "type": "module" }\n'))
  files.set('small.json', text(JSON.stringify({ version, migrations, floor, fault })))
  files.set(keyFile, text(`untrusted comment: keys\n${keys.map((key) => keyLine(key)).join('\n')}\n`))
  change?.(files)
  const facts = { version, arch, floor, commit: `of-${version}`, time: 1_795_000_000, glibc: '2.28' } as const
  return pack(files, { name: 'relaydeck', schema: migrations.at(-1) ?? '', ...facts })
}

/** Writes a signed archive as `npm run release` does. @returns its path */
export function writeSmall(folder: string, key: KeyObject, release: SmallRelease): string {
  const packed = packSmall(release)
  write(folder, release.version, [packed], key)
  return `${folder}/${packed.name}`
}

/** Returns the checksum of a file. */
const sha256Of = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Unpacks an archive as the release in use. @returns its version */
export async function installSmall(opt: string, archive: string): Promise<string> {
  const name = basename(archive, '.tar.gz')
  const version = name.split('-')[1] ?? ''
  const folder = join(opt, 'releases', version)
  mkdirSync(folder, { recursive: true })
  await unpackRelease(archive, folder, name, sha256Of(archive))
  symlinkSync(join('releases', version), join(opt, 'current'))
  return version
}

/** Signs the list of checksums of an archive anew, as it is. */
export function resign(folder: string, version: string, name: string, key: KeyObject): void {
  write(folder, version, [{ name, content: readFileSync(`${folder}/${name}`) }], key)
}
