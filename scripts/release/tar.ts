// Writes archives whose bytes depend on their content only: sorted names, one time, owner 0, fixed modes.
import { gzipSync } from 'node:zlib'

/** A file of an archive. */
export interface ArchiveFile {
  readonly content: Buffer
  readonly isProgram?: boolean
}

const block = 512
const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`

/** Writes a header of the format ustar. @param time seconds */
function header(path: string, size: number, mode: number, time: number): Buffer {
  const [prefix, name] = splitPath(path)
  const bytes = Buffer.alloc(block)
  const put = (text: string, at: number): number => bytes.write(text, at, 'utf8')
  put(name, 0)
  put(octal(mode, 8), 100)
  put(octal(0, 8), 108)
  put(octal(0, 8), 116)
  put(octal(size, 12), 124)
  put(octal(time, 12), 136)
  put(' '.repeat(8), 148)
  put('0', 156)
  put('ustar\0' + '00', 257)
  put('root', 265)
  put('root', 297)
  put(prefix, 345)
  put(
    `${bytes
      .reduce((sum, each) => sum + each, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  return bytes
}

/** A name has 100 bytes and a prefix of folders 155. */
function splitPath(path: string): readonly [prefix: string, name: string] {
  if (path.length <= 100) return ['', path]
  const at = path.indexOf('/', path.length - 101)
  if (at < 0 || at > 155) throw new Error(`${path} is too long for an archive`)
  return [path.slice(0, at), path.slice(at + 1)]
}

/** Makes a .tar.gz. @param time of all files, seconds */
export function tarGz(files: ReadonlyMap<string, ArchiveFile>, time: number): Buffer {
  const parts: Buffer[] = []
  for (const path of [...files.keys()].toSorted((a, b) => (a < b ? -1 : 1))) {
    const { content, isProgram } = files.get(path) ?? { content: Buffer.alloc(0) }
    const padding = Buffer.alloc((block - (content.length % block)) % block)
    parts.push(header(path, content.length, isProgram ? 0o755 : 0o644, time), content, padding)
  }
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]), { level: 9 })
}
