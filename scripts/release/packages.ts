// Packages of a release: those beside the bundles with all that they need, and the binaries of each architecture.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { serviceExternals } from '#scripts/house/service.config.ts'
import { runtimePackages, runtimeVersion } from './runtime.ts'

export const architectures = ['x64', 'arm64'] as const
export type Architecture = (typeof architectures)[number]

/** A package of the lockfile. */
export interface LockedPackage {
  /** Path of its folder, `node_modules/…`. */
  readonly path: string
  readonly name: string
  readonly version: string
  readonly integrity: string
}

interface Entry {
  readonly version: string
  readonly integrity: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Packages whose files the service reads at run time, beside those that the build does not bundle. */
const readAtRunTime = ['dejavu-fonts-ttf', '@simplewebauthn/browser']

const lockOf = (): Readonly<Record<string, Entry>> => JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Returns the packages that a release contains, by path. Those of one architecture are not among them. */
export function packagesBeside(): readonly LockedPackage[] {
  const lock = lockOf()
  const found = new Map<string, LockedPackage>()
  const add = (name: string, from: string): void => {
    const path = resolvedPath(lock, name, from)
    const entry = lock[path]
    if (!entry) throw new Error(`${name}, which ${from} needs, is not in package-lock.json`)
    if (found.has(path)) return
    found.set(path, { path, name: nameOf(path), version: entry.version, integrity: entry.integrity })
    for (const dependency of Object.keys(entry.dependencies ?? {})) add(dependency, path)
  }
  for (const name of [...serviceExternals, ...readAtRunTime]) add(name, '')
  return [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** Finds a package as Node does: beside the one that needs it, then in the folders above. */
function resolvedPath(lock: Readonly<Record<string, Entry>>, name: string, from: string): string {
  for (let folder = from; folder !== ''; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder}/node_modules/${name}`
    if (lock[path]) return path
  }
  return `node_modules/${name}`
}

/** Returns the native part of argon2 for an architecture. */
export function argonOf(arch: Architecture): LockedPackage {
  const name = `@node-rs/argon2-linux-${arch}-gnu`
  const path = `node_modules/${name}`
  const entry = lockOf()[path]
  if (!entry) throw new Error(`${name} is not in package-lock.json`)
  return { path, name, version: entry.version, integrity: entry.integrity }
}

/** Returns Node for an architecture. Its version is that of the lockfile, which does not pin the binary. */
export function nodeOf(arch: Architecture): LockedPackage {
  const { version } = lockOf()['node_modules/node'] ?? { version: '' }
  if (version !== runtimeVersion)
    throw new Error(`scripts/release/runtime.ts pins Node ${runtimeVersion}, package-lock.json ${version}: update it`)
  return { path: 'node', version, ...runtimePackages[arch] }
}

/**
 * Fetches a package into the cache, and compares it with its pin.
 * @returns its unpacked folder
 */
export function fetched({ name, version, integrity }: LockedPackage): string {
  const cache = '.cache/release'
  const folder = join(cache, `${name.replace('/', '-')}-${version}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const packed = execFileSync('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', cache], {
    encoding: 'utf8',
  })
  const file = join(cache, packed.trim().split('\n').at(-1) ?? '')
  const got = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (got !== integrity) throw new Error(`${name} ${version} is ${got}, its pin is ${integrity}`)
  const part = `${folder}.part-${process.pid}`
  mkdirSync(part)
  execFileSync('tar', ['-xzf', file, '--strip-components=1', '-C', part])
  rmSync(file)
  renameSync(part, folder)
  return folder
}
