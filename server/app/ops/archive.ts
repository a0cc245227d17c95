// Archive of a backup: a .tar.gz with a manifest, the database, the secret, and folders of files.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, chmod, constants, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod/mini'
import { CopyError, runTool } from '#server/db/dump.ts'

/** What an archive contains. `sha256` is that of the database. */
const Manifest = z.object({
  format: z.literal(1),
  version: z.string(),
  date: z.iso.datetime(),
  database: z.enum(['sqlite', 'postgres']),
  schema: z.array(z.string()),
  counts: z.record(z.string(), z.int()),
  sha256: z.string(),
})
export type Manifest = z.output<typeof Manifest>

/** Name of the database in an archive. */
export const copyName = { sqlite: 'relaydeck.db', postgres: 'database.dump' } as const

/** Packs a folder with its manifest. A file under its name is complete: it is renamed at the end. Mode 0600. */
export async function pack(folder: string, about: Omit<Manifest, 'format' | 'sha256'>, file: string): Promise<void> {
  const sha256 = await hashOf(join(folder, copyName[about.database]))
  const manifest: Manifest = { format: 1, ...about, sha256 }
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const part = `${file}.part`
  try {
    // Made first, so that nobody else can read it while it grows.
    await writeFile(part, '', { mode: 0o600 })
    await chmod(part, 0o600)
    // -h: papers and recordings are links to their folders. Films of the relay are made anew.
    const anew = ['.films', '.preparing'].map((name) => `--exclude=./recordings/${name}`)
    await runTool('tar', ['-chzf', part, ...anew, '-C', folder, '.'])
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/**
 * Unpacks an archive into an empty folder and verifies it.
 * @throws CopyError for a file that is no backup or is incomplete or changed
 */
export async function unpack(file: string, folder: string): Promise<Manifest> {
  await access(file, constants.R_OK).catch(({ message }: Error) => {
    throw new CopyError(`The backup cannot be read: ${message}. Commands run as the owner of DATA_DIR`)
  })
  await runTool('tar', ['-xzf', file, '--no-same-owner', '-C', folder]).catch((error: unknown) => {
    if (error instanceof CopyError) throw new CopyError(`${file} is not a complete backup: ${error.message}`)
    throw error
  })
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => '')
  const manifest = readManifest(text, file)
  if ((await hashOf(join(folder, copyName[manifest.database])).catch(() => '')) !== manifest.sha256)
    throw new CopyError(`${file} was changed after it was made: the database in it has another checksum`)
  return manifest
}

/** Reads the manifest of an archive without unpacking the rest. @throws CopyError */
export async function readManifestOf(file: string): Promise<Manifest> {
  return readManifest(await runTool('tar', ['-xzOf', file, './manifest.json']), file)
}

function readManifest(text: string, file: string): Manifest {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = null
  }
  const read = z.safeParse(Manifest, json)
  if (!read.success) throw new CopyError(`${file} is not a backup of Relaydeck, or of a newer release`)
  return read.data
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
