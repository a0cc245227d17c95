// The archive of the tests: that of `npm run release`, signed by a key of the run.
import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { keyLine } from '#server/app/ops/minisign.ts'
import { keyFile } from '#server/app/ops/release.ts'
import { contentsOf } from '#scripts/release/contents.ts'
import { pack, write } from '#scripts/release/main.ts'
import type { Architecture } from '#scripts/release/packages.ts'
import type { Archive } from './stage.ts'

/** Makes an archive. The programs must be built. @param key of the run; default: a new one */
export async function makeArchive(
  folder: string,
  arch = process.arch as Architecture,
  key = generateKeyPairSync('ed25519').privateKey,
): Promise<Archive> {
  const { files, facts } = contentsOf(arch)
  files.set(keyFile, { content: Buffer.from(`${keyLine(key)}\n`) })
  const packed = pack(files, facts)
  write(folder, facts.version, [packed], key)
  return {
    file: join(folder, packed.name),
    folder: packed.name.replace(/\.tar\.gz$/, ''),
    version: facts.version,
    key,
    files,
    facts,
  }
}
