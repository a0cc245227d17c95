// The archive of the tests: that of `npm run release`, signed by a key of the run.
import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { keyLine } from '#server/app/ops/minisign.ts'
import { keyFile } from '#server/app/ops/release.ts'
import { contentsOf } from '#scripts/release/contents.ts'
import { pack, write } from '#scripts/release/main.ts'
import type { Architecture } from '#scripts/release/packages.ts'
import type { Archive } from './stage.ts'

/** Makes the archive for this machine's architecture. The programs must be built. */
export async function makeArchive(folder: string): Promise<Archive> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { files, facts } = contentsOf(process.arch as Architecture)
  files.set(keyFile, { content: Buffer.from(`${keyLine(privateKey)}\n`) })
  const packed = pack(files, facts)
  write(folder, facts.version, [packed], privateKey)
  return {
    file: join(folder, packed.name),
    folder: packed.name.replace(/\.tar\.gz$/, ''),
    version: facts.version,
    key: privateKey,
    files,
    facts,
  }
}
