// Avatars: validated by content, stored as files in the data folder.
import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RuleError } from '#server/core/errors.ts'
import type { Settings } from '#server/core/settings.ts'

/** Leading bytes of the accepted formats, and the extension that determines the content type. */
const formats = [
  { extension: 'jpg', magic: Buffer.from([0xff, 0xd8, 0xff]) },
  { extension: 'png', magic: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
]

/** Returns the folder of uploaded files. */
export const filesFolder = ({ dataDir }: Pick<Settings, 'dataDir'>): string => join(dataDir, 'files')

/**
 * Stores an avatar under a random name.
 * @throws RuleError when the content is neither JPEG nor PNG, independent of the declared type
 */
export async function storeAvatar(config: Settings, content: Buffer): Promise<string> {
  const format = formats.find(({ magic }) => content.subarray(0, magic.length).equals(magic))
  if (!format) throw new RuleError('AvatarFormat', 'The picture has to be a JPEG or a PNG')
  const name = `${randomUUID()}.${format.extension}`
  await mkdir(filesFolder(config), { recursive: true })
  await writeFile(join(filesFolder(config), name), content, { flag: 'wx' })
  return name
}

/** Removes an avatar that is no longer used. */
export const removeAvatar = (config: Settings, name: string): Promise<void> =>
  rm(join(filesFolder(config), name), { force: true })

/** Returns the URL of a stored file; empty when there is none. */
export const fileUrl = (origin: string, name: string | null): string => (name === null ? '' : `${origin}/files/${name}`)
