// Pictures of users, apps and broadcasts: validated by content, stored in the database, where every replica finds them.
import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pictureBytesMax, type Upload } from '#contract/core/upload.ts'
import { AppError, RuleError } from '#server/core/errors.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { insertFile } from './store.ts'

/** Accepted formats: leading bytes, the extension that determines the content type, and where the size stands. */
const formats = [
  { extension: 'jpg', type: 'image/jpeg', magic: Buffer.from([0xff, 0xd8, 0xff]), sizeOf: jpegSize },
  {
    extension: 'png',
    type: 'image/png',
    magic: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    sizeOf: pngSize,
  },
] as const

/** Pixels; 0: the header has no size, or the picture has too many scans. */
interface Size {
  readonly width: number
  readonly height: number
}

const unknown: Size = { width: 0, height: 0 }

/** A JPEG or PNG. */
export interface Picture extends Size {
  readonly content: Buffer
  readonly extension: 'jpg' | 'png'
}

/**
 * Reads an uploaded picture.
 * @param bytesMax largest file
 * @throws AppError 413, RuleError `PictureFormat` when the content is neither JPEG nor PNG, independent of the declared type
 */
export async function readPicture(upload: Upload, bytesMax: number = pictureBytesMax): Promise<Picture> {
  if (upload.size > bytesMax) throw new AppError(413, 'PayloadTooLarge_file')
  const content = Buffer.from(await upload.arrayBuffer())
  const format = formats.find(({ magic }) => content.subarray(0, magic.length).equals(magic))
  if (!format) throw new RuleError('PictureFormat')
  return { content, extension: format.extension, ...format.sizeOf(content) }
}

/** Stores a picture under a random name. @returns the name */
export async function storePicture(db: Db | Trx, { content, extension }: Picture): Promise<string> {
  const name = `${randomUUID()}.${extension}`
  await insertFile(db, { name, content })
  return name
}

/** Returns the content type of a stored file by its name: browsers must treat every upload as an image. */
export const contentTypeOf = (name: string): string =>
  formats.find(({ extension }) => name.endsWith(`.${extension}`))?.type ?? 'image/jpeg'

/** Size in the first chunk (PNG, ISO/IEC 15948, 11.2.2). */
function pngSize(content: Buffer): Size {
  return content.length < 24 || content.toString('latin1', 12, 16) !== 'IHDR'
    ? unknown
    : { width: content.readUInt32BE(16), height: content.readUInt32BE(20) }
}

/** Markers without a length: restarts and the beginning. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
/** Frame headers (ITU-T T.81, table B.1); the other three of the row are tables. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Each scan of a progressive JPEG decodes all pixels; encoders write about ten, hostile files a hundred thousand. */
const scansMax = 100
const scan = Buffer.from([0xff, 0xda])

function hasManyScans(content: Buffer): boolean {
  let scans = 0
  for (let at = content.indexOf(scan); at >= 0 && scans <= scansMax; at = content.indexOf(scan, at + 2)) scans++
  return scans > scansMax
}

function jpegSize(content: Buffer): Size {
  if (hasManyScans(content)) return unknown
  for (let at = 2; at + 9 <= content.length && content[at] === 0xff;) {
    const marker = content[at + 1] ?? 0
    if (marker === 0xff) at += 1
    else if (isBare(marker)) at += 2
    else if (isFrame(marker)) return { width: content.readUInt16BE(at + 7), height: content.readUInt16BE(at + 5) }
    else at += 2 + Math.max(2, content.readUInt16BE(at + 2))
  }
  return unknown
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
