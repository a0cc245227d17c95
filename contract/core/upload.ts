// Pictures in multipart forms.
import * as z from 'zod/mini'

/** Largest picture, bytes (published for avatars: 2 MB; JPEG or PNG, detected by content, not by name). */
export const pictureBytesMax = 2 * 1024 * 1024

/** File in a multipart form: the members of `Blob` that browser and Node share, without the globals of either. */
export interface Upload {
  readonly size: number
  readonly type: string
  arrayBuffer(): Promise<ArrayBuffer>
}

const isUpload = (value: unknown): value is Upload =>
  typeof value === 'object' && value !== null && 'size' in value && 'arrayBuffer' in value

/** A file of a form. */
export const Uploaded = z.custom<Upload>(isUpload)
