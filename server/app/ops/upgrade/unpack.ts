// Strict reader of release archives: a .tar.gz of regular files below one folder, as `npm run release` writes them. It writes no
// links and nothing outside its folder, whatever the archive says.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { UpgradeError } from './upgrade-error.ts'

const block = 512
/** Limit of all files together, bytes. A release has 170 MB. */
const mostBytes = 2 * 1024 ** 3

/** A file of an archive: its path below the folder, and its size in bytes. */
interface Header {
  readonly path: string
  readonly size: number
  readonly isProgram: boolean
}

/**
 * Unpacks an archive into an empty folder, and compares the archive with its checksum and each file with MANIFEST.
 * @param name of the only folder in the archive
 * @param sha256 of the archive, from a signed list
 * @throws UpgradeError for any other archive; an error `ENOSPC` for a full disk
 */
export async function unpackRelease(archive: string, folder: string, name: string, sha256: string): Promise<void> {
  const whole = createHash('sha256')
  const hashes = new Map<string, string>()
  const source = createReadStream(archive)
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      whole.update(chunk)
      done(null, chunk)
    },
  })
  try {
    await pipeline(source, hashing, createGunzip(), (bytes) => unpackAll(bytes, folder, name, hashes))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'ENOENT') throw error
    throw new UpgradeError(`${archive} is damaged or incomplete: ${message}. Fetch it again`, { cause: error })
  }
  if (whole.digest('hex') !== sha256)
    throw new UpgradeError(`${archive} is not the archive that was signed: its checksum differs. Fetch it again`)
  const wrong = differing(readManifest(folder), hashes)
  if (wrong !== undefined) throw new UpgradeError(`${archive} contradicts its MANIFEST: ${wrong}. Do not use it`)
}

/** Reads all entries to the end of the stream, so that gzip compares its own checksum too. */
async function unpackAll(source: AsyncIterable<Buffer>, folder: string, name: string, hashes: Map<string, string>) {
  const bytes = createBytes(source)
  let total = 0
  for (;;) {
    const head = await bytes.take(block)
    if (head.every((byte) => byte === 0)) break
    const header = readHeader(head, name)
    total += header.size
    if (total > mostBytes) throw new Error('it is too large for a release')
    const path = join(folder, header.path)
    await mkdir(dirname(path), { recursive: true, mode: 0o755 })
    hashes.set(header.path, await writeFile(path, header, bytes))
    await bytes.take((block - (header.size % block)) % block)
  }
  await bytes.drain()
}

/** @throws Error for an entry that is no regular file below the folder */
function readHeader(head: Buffer, name: string): Header {
  const text = (at: number, length: number) => head.toString('utf8', at, at + length).split('\0', 1)[0] ?? ''
  const sum = head.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (Number.parseInt(text(148, 8), 8) !== sum) throw new Error('an entry has a wrong checksum')
  const [prefix, last] = [text(345, 155), text(0, 100)]
  const full = prefix === '' ? last : `${prefix}/${last}`
  const shown = JSON.stringify(full)
  if (text(156, 1) !== '0') throw new Error(`${shown} is not a regular file`)
  const [top, ...parts] = full.split('/')
  const isSafe = parts.length > 0 && parts.every((part) => !['', '.', '..'].includes(part) && !/[\p{Cc}\\]/u.test(part))
  if (top !== name || !isSafe) throw new Error(`${shown} is not a path below ${name}/`)
  const size = Number.parseInt(text(124, 12), 8)
  if (!(size >= 0)) throw new Error(`${shown} has no size`)
  return { path: parts.join('/'), size, isProgram: (Number.parseInt(text(100, 8), 8) & 0o111) !== 0 }
}

/** Writes a new file. @returns its SHA-256 @throws EEXIST for a second file of one name */
async function writeFile(path: string, { size, isProgram }: Header, bytes: Bytes): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const piece of bytes.pieces(size)) {
      hash.update(piece)
      await file.writeFile(piece)
    }
    // Not subject to the umask: the service runs as another user.
    await file.chmod(isProgram ? 0o755 : 0o644)
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}

interface Bytes {
  /** Returns exactly so many bytes. @throws Error at an earlier end */
  take(length: number): Promise<Buffer>
  /** Returns so many bytes in pieces. */
  pieces(length: number): AsyncGenerator<Buffer>
  /** Reads to the end. */
  drain(): Promise<void>
}

function createBytes(source: AsyncIterable<Buffer>): Bytes {
  const chunks = source[Symbol.asyncIterator]()
  let rest = Buffer.alloc(0)
  async function* pieces(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0;) {
      if (rest.length === 0) {
        const { done, value } = await chunks.next()
        if (done) throw new Error('it ends too early')
        rest = Buffer.from(value)
      }
      const piece = rest.subarray(0, left)
      rest = rest.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }
  return {
    pieces,
    async take(length) {
      const all: Buffer[] = []
      for await (const piece of pieces(length)) all.push(piece)
      return Buffer.concat(all)
    },
    async drain() {
      while (!(await chunks.next()).done);
    },
  }
}

/** Returns the SHA-256 of each file of a release, by path. */
function readManifest(folder: string): ReadonlyMap<string, string> {
  const file = join(folder, 'MANIFEST')
  if (!existsSync(file)) throw new UpgradeError(`${file} is missing: this is no release of Relaydeck`)
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]))
}

/** Returns the first difference to a manifest; undefined: none. */
function differing(manifest: ReadonlyMap<string, string>, hashes: ReadonlyMap<string, string>): string | undefined {
  for (const [path, hash] of manifest) {
    const found = hashes.get(path)
    if (found === undefined) return `${path} is missing`
    if (found !== hash) return `${path} was changed`
  }
  const known = (path: string) => path === 'MANIFEST' || manifest.has(path)
  const added = [...hashes.keys()].find((path) => !known(path))
  return added === undefined ? undefined : `${added} was added`
}

/** Compares the files of an unpacked release with its MANIFEST. @returns the first difference; undefined: none */
export async function differenceOf(folder: string): Promise<string | undefined> {
  const hashes = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue
    const path = join(entry.parentPath, entry.name)
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    hashes.set(path.slice(folder.length + 1), hash.digest('hex'))
  }
  return differing(readManifest(folder), hashes)
}
