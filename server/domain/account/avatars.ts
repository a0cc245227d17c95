// Pictures of people: checked by content, kept as files below the data folder.
import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RuleError } from '#server/core/errors.ts'
import type { Settings } from '#server/core/settings.ts'

/** What a picture begins with, and the extension that its content type is told by. */
const formats = [
  { extension: 'jpg', magic: Buffer.from([0xff, 0xd8, 0xff]) },
  { extension: 'png', magic: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
]

/** Where uploaded files are. */
export const filesFolder = ({ dataDir }: Pick<Settings, 'dataDir'>): string => join(dataDir, 'files')

/**
 * Keeps a picture under a name that nobody can guess.
 * @throws RuleError when it is neither JPEG nor PNG, whatever it calls itself
 */
export async function storeAvatar(config: Settings, content: Buffer): Promise<string> {
  const format = formats.find(({ magic }) => content.subarray(0, magic.length).equals(magic))
  if (!format) throw new RuleError('AvatarFormat', 'The picture has to be a JPEG or a PNG')
  const name = `${randomUUID()}.${format.extension}`
  await mkdir(filesFolder(config), { recursive: true })
  await writeFile(join(filesFolder(config), name), content, { flag: 'wx' })
  return name
}

/** Removes a picture that nobody shows any more. */
export const removeAvatar = (config: Settings, name: string): Promise<void> =>
  rm(join(filesFolder(config), name), { force: true })

/** The address of a stored file; empty when there is none. */
export const fileUrl = (origin: string, name: string | null): string => (name === null ? '' : `${origin}/files/${name}`)
