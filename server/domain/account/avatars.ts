// Avatars: validated by content, stored in the database, where every replica finds them.
import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { RuleError } from '#server/core/errors.ts'
import type { Db } from '#server/db/open.ts'
import { insertFile } from './store.ts'

/** Leading bytes of the accepted formats, and the extension that determines the content type. */
const formats = [
  { extension: 'jpg', magic: Buffer.from([0xff, 0xd8, 0xff]) },
  { extension: 'png', magic: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
]

/**
 * Stores an avatar under a random name.
 * @throws RuleError when the content is neither JPEG nor PNG, independent of the declared type
 */
export async function storeAvatar(db: Db, content: Buffer): Promise<string> {
  const format = formats.find(({ magic }) => content.subarray(0, magic.length).equals(magic))
  if (!format) throw new RuleError('AvatarFormat')
  const name = `${randomUUID()}.${format.extension}`
  await insertFile(db, { name, content })
  return name
}

/** Moves the files of 0.1.0 from a data folder into the database. A move that was interrupted is repeated by the next start. */
export async function adoptFiles(db: Db, dataDir: string): Promise<void> {
  const folder = join(dataDir, 'files')
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names) {
    const path = join(folder, name)
    await insertFile(db, { name, content: await readFile(path) })
    await rm(path)
  }
}

/** Returns the URL of a stored file; empty when there is none. */
export const fileUrl = (origin: string, name: string | null): string => (name === null ? '' : `${origin}/files/${name}`)
