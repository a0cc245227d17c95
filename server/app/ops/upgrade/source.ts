// Where a release comes from: a file, or the mirror of RELEASES_URL. Both are believed only by the signature of the list of checksums.
import { createWriteStream, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { causeOf } from '#server/core/errors.ts'
import { readKeys, verify } from '#server/app/ops/minisign.ts'
import { keyFile, ReleaseFacts } from '#server/app/ops/release.ts'
import { UpgradeError } from './upgrade-error.ts'

/** A release that can be had. */
export interface Offer {
  readonly version: string
  readonly arch: ReleaseFacts['arch']
  /** Name of the archive. */
  readonly name: string
  /** Checksum of the archive in the signed list. */
  readonly sha256: string
  /** Makes the archive a file. @param downloads folder for archives from elsewhere @returns its path */
  readonly fetch: (downloads: string) => Promise<string>
}

/** What the command asks for: a file, a version, or nothing: the newest release. */
export interface Wanted {
  readonly what: string
  readonly releasesUrl: string
  /** Folder of the running release, whose keys decide. */
  readonly release: string
  readonly arch: string
}

/** Name of the list of checksums of the newest release of a folder. */
export const newestList = 'SHA256SUMS'
const listOf = (version: string): string => `relaydeck-${version}-SHA256SUMS`
const archiveName = /^relaydeck-(\d+\.\d+\.\d+(?:-[\w.]+)?)-linux-(x64|arm64)\.tar\.gz$/
const versionName = /^\d+\.\d+\.\d+(-[\w.]+)?$/
const listMost = 100_000
const archiveMost = 1024 ** 3
const listMs = 30_000
const archiveMs = 3_600_000

/** Returns the version that a command names, by a file or by itself. */
export const versionOf = (what: string): string => archiveName.exec(basename(what))?.[1] ?? what

/** Finds a release and verifies its signature. @throws UpgradeError */
export async function findRelease(wanted: Wanted): Promise<Offer> {
  const { what, releasesUrl } = wanted
  if (what.includes('/') || what.endsWith('.gz')) return offerOfFile(wanted)
  if (releasesUrl === '')
    throw new UpgradeError(
      what === ''
        ? 'Name the archive: relaydeck upgrade relaydeck-1.2.0-linux-x64.tar.gz, with its SHA256SUMS and SHA256SUMS.minisig beside it. Or set RELEASES_URL to the folder of your mirror. Nothing looks for releases by itself'
        : 'A version needs RELEASES_URL, the folder of your mirror. Or name the archive: relaydeck upgrade FILE',
    )
  if (what !== '' && !versionName.test(what)) throw new UpgradeError(`${what} is neither a version nor a file`)
  return offerOfFolder(wanted, openFolder(releasesUrl))
}

async function offerOfFile(wanted: Wanted): Promise<Offer> {
  const path = resolve(wanted.what)
  const [, version = '', arch = ''] = archiveName.exec(basename(path)) ?? []
  if (version === '')
    throw new UpgradeError(
      `${path} does not have the name of a release, relaydeck-<version>-linux-<x64|arm64>.tar.gz. Keep the name: the signed list of checksums contains it`,
    )
  return { ...(await readOffer(wanted, openFolder(dirname(path)), version, listOf(version), arch)) }
}

async function offerOfFolder(wanted: Wanted, folder: Folder): Promise<Offer> {
  if (wanted.what !== '') return readOffer(wanted, folder, wanted.what, listOf(wanted.what), wanted.arch)
  return readOffer(wanted, folder, '', newestList, wanted.arch)
}

/** @param version that the list must be of; empty: any */
async function readOffer(
  { release }: Wanted,
  folder: Folder,
  version: string,
  listName: string,
  arch: string,
): Promise<Offer> {
  const list = await folder.read(listName)
  const signature = await folder.read(`${listName}.minisig`)
  const keys = readKeys(readFileSync(join(release, keyFile), 'utf8'))
  if (keys.length === 0)
    throw new UpgradeError(
      `This release has no public key in ${keyFile}: it was not made for upgrades. Install a signed one`,
    )
  const comment = verify(list, signature.toString(), keys)
  if (comment === null)
    throw new UpgradeError(
      `${folder.shown(listName)} is not signed by a key of this release (${keyFile}), or was changed after it was signed`,
    )
  const signed = /^relaydeck (\S+)$/.exec(comment)?.[1] ?? ''
  if (!versionName.test(signed) || (version !== '' && signed !== version))
    throw new UpgradeError(`${folder.shown(listName)} is signed for "${comment}", not for relaydeck ${version}`)
  const name = `relaydeck-${signed}-linux-${arch}.tar.gz`
  const sums = new Map(
    list
      .toString()
      .split('\n')
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  )
  const sha256 = sums.get(name)
  const known = ReleaseFacts.shape.arch.safeParse(arch)
  if (sha256 === undefined || !known.success)
    throw new UpgradeError(`${folder.shown(listName)} has no archive for ${arch}: ${[...sums.keys()].join(' ').trim()}`)
  return { version: signed, arch: known.data, name, sha256, fetch: (downloads) => folder.fetch(name, downloads) }
}

/** A folder with releases, here or on a server. */
interface Folder {
  readonly shown: (name: string) => string
  readonly read: (name: string) => Promise<Buffer>
  readonly fetch: (name: string, downloads: string) => Promise<string>
}

const openFolder = (place: string): Folder =>
  place.startsWith('https:')
    ? remoteFolder(place)
    : localFolder(place.startsWith('file:') ? fileURLToPath(place) : place)

const localFolder = (folder: string): Folder => ({
  shown: (name) => join(folder, name),
  read: (name) => readFile(join(folder, name)).catch(cannotRead(join(folder, name))),
  fetch: async (name) => join(folder, name),
})

function remoteFolder(url: string): Folder {
  const addressOf = (name: string) => `${url.replace(/\/$/, '')}/${name}`
  return {
    shown: addressOf,
    async read(name) {
      const parts: Buffer[] = []
      for await (const part of await download(addressOf(name), listMost, listMs)) parts.push(part as Buffer)
      return Buffer.concat(parts)
    },
    async fetch(name, downloads) {
      await mkdir(downloads, { recursive: true, mode: 0o700 })
      const file = join(downloads, name)
      await rm(`${file}.part`, { force: true })
      const body = await download(addressOf(name), archiveMost, archiveMs)
      await pipeline(body, createWriteStream(`${file}.part`, { mode: 0o600 }))
      await rename(`${file}.part`, file)
      return file
    },
  }
}

/** Opens a file of a server. @param most bytes @param ms limit of the whole transfer */
async function download(address: string, most: number, ms: number): Promise<Readable> {
  const refuse = cannotRead(address)
  const answer = await fetch(address, { signal: AbortSignal.timeout(ms) }).catch(refuse)
  if (!answer.ok || !answer.body) return refuse(new Error(`the server answers ${answer.status}`))
  let left = most
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      done(left < 0 ? new UpgradeError(`${address} is larger than ${most} bytes`) : null, chunk)
    },
  })
  return Readable.from(answer.body).compose(limited) as Readable
}

const cannotRead =
  (what: string) =>
  (error: unknown): never => {
    throw new UpgradeError(
      `${what} cannot be read: ${causeOf(error)}. An archive needs its signed list of checksums beside it`,
      {
        cause: error,
      },
    )
  }
