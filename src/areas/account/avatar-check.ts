// Validates an avatar before upload by its content, like the service.
import { avatarBytesMax, type Upload } from '#contract/areas/account/profile.ts'

export type AvatarProblem = 'tooLarge' | 'format'

const beginnings = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
]

/** Returns the problem of a file; null for a JPEG or PNG of at most 2 MB. */
export async function avatarProblem(file: Upload): Promise<AvatarProblem | null> {
  if (file.size > avatarBytesMax) return 'tooLarge'
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isPicture = beginnings.some((beginning) => beginning.every((byte, at) => bytes[at] === byte))
  return isPicture ? null : 'format'
}
