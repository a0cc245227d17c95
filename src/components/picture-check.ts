// Validates a picture before upload by its content, like the service.
import { pictureBytesMax, type Upload } from '#contract/core/upload.ts'

export type PictureProblem = 'tooLarge' | 'format'

const beginnings = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
]

/** Returns the problem of a file; null for a JPEG or PNG. @param bytesMax default: 2 MB */
export async function pictureProblem(file: Upload, bytesMax: number = pictureBytesMax): Promise<PictureProblem | null> {
  if (file.size > bytesMax) return 'tooLarge'
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isPicture = beginnings.some((beginning) => beginning.every((byte, at) => bytes[at] === byte))
  return isPicture ? null : 'format'
}
