// Images of texts: PNG and WebP, served under the hash of their content.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ContentFile } from './files.ts'

/** An image of a content folder. */
export interface StoredImage {
  /** Name in its address: hash of the content and extension. */
  readonly name: string
  readonly absolute: string
  readonly type: 'image/png' | 'image/webp'
  /** Pixels. */
  readonly width: number
  readonly height: number
}

/** Maximum size of an image, bytes. */
export const imageBytesMax = 5_000_000

/** Path of images on the service. */
export const imageRoute = '/content/'

/** Reads an image file; null when its content is neither PNG nor WebP, or it is too large. */
export async function readImage({ absolute, size }: ContentFile): Promise<StoredImage | null> {
  if (size > imageBytesMax) return null
  const bytes = await readFile(absolute).catch(() => null)
  const found = bytes && (pngSize(bytes) ?? webpSize(bytes))
  if (!bytes || !found || found.width === 0 || found.height === 0) return null
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  return { name: `${hash}.${found.type.slice('image/'.length)}`, absolute, ...found }
}

type Size = Pick<StoredImage, 'type' | 'width' | 'height'>

/** Size of a PNG (its IHDR chunk comes first). */
function pngSize(bytes: Buffer): Size | null {
  const isPng = bytes.length >= 24 && bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1A\n'
  return isPng && bytes.toString('latin1', 12, 16) === 'IHDR'
    ? { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : null
}

/** Size of a WebP in its three forms: lossy, lossless and extended (RFC 9649). */
function webpSize(bytes: Buffer): Size | null {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return null
  const of = (width: number, height: number): Size => ({ type: 'image/webp', width, height })
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return of(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return of((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
    }
    case 'VP8X':
      return of(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
    default:
      return null
  }
}
