// Builds dashboard, overlay and service before the product runs: each part only after a change of its sources.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bin, node, say } from './step.ts'

interface Part {
  readonly name: string
  /** Output folder, and a file that it always contains. */
  readonly folder: string
  readonly file: string
  readonly sources: readonly string[]
  /** Arguments for Vite. */
  readonly flags: readonly string[]
}

const dashboard: Part = {
  name: 'dashboard',
  folder: 'dist/dashboard',
  file: 'index.html',
  sources: ['index.html', 'vite.config.ts', 'package-lock.json', 'public', 'contract', 'locales', 'src'],
  flags: [],
}

const overlayConfig = 'scripts/house/overlay.config.ts'

const overlay: Part = {
  name: 'overlay',
  folder: 'dist/overlay',
  file: 'chat.html',
  sources: [
    overlayConfig,
    'scripts/house/lean-realtime.ts',
    'package-lock.json',
    'contract/entities',
    'contract/platforms',
    'locales',
    'src/overlay',
    'src/realtime/key-feed.ts',
    'src/lib',
  ],
  flags: ['--config', overlayConfig],
}

const config = 'scripts/house/service.config.ts'

const service: Part = {
  name: 'service',
  folder: 'dist/service',
  file: 'service.js',
  sources: [config, 'package-lock.json', 'contract', 'locales', 'server'],
  flags: ['--config', config],
}

/** Programs of `npm start` and `npm run relay`. */
export const programs = {
  service: 'dist/service/service.js',
  supervisor: 'dist/service/supervisor.js',
  relay: 'dist/service/relay.js',
}

const stampOf = ({ name }: Part): string => `.cache/${name}.hash`

/** Returns one hash over all sources of a part, tests excluded. */
function fingerprint({ sources }: Part): string {
  const hash = createHash('sha256')
  const add = (path: string): void => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).toSorted()) add(join(path, name))
    else if (!/\.test\.tsx?$/.test(path)) hash.update(path).update('\0').update(readFileSync(path)).update('\0')
  }
  for (const path of sources) if (existsSync(path)) add(path)
  return hash.digest('hex')
}

async function make(part: Part, flags: readonly string[] = []): Promise<number> {
  const made = fingerprint(part)
  // Builds beside the target and renames at the end: another command may be running the old build, or building as well.
  const folder = resolve(`${part.folder}-${process.pid}`)
  const code = await node(bin('vite'), ['build', '--outDir', folder, ...part.flags, ...flags], { minutes: 10 })
  if (code === 0) {
    rmSync(part.folder, { recursive: true, force: true })
    renameSync(folder, part.folder)
    mkdirSync('.cache', { recursive: true })
    writeFileSync(stampOf(part), made)
  }
  rmSync(folder, { recursive: true, force: true })
  return code
}

/** Builds a part that is missing or older than its sources. */
async function ensure(part: Part): Promise<number> {
  const there = existsSync(join(part.folder, part.file))
  const stamp = stampOf(part)
  if (there && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(part)) return 0
  say(there ? `Building the ${part.name} again, its sources changed` : `Building the ${part.name}`)
  // Without the list of files: users of `npm start` wait for an address.
  return make(part, ['--logLevel', 'warn'])
}

/** Builds all parts into dist/. `flags` go to Vite. */
export const build = async (flags: readonly string[] = []): Promise<number> =>
  (await make(service, flags)) || (await make(overlay, flags)) || make(dashboard, flags)

/** Builds the service alone, for commands without pages: the relay, and tests that run programs. */
export const ensureService = (): Promise<number> => ensure(service)

/** Builds the parts of dist/ that are missing or older than their sources. */
export const ensureBuilt = async (): Promise<number> =>
  (await ensure(service)) || (await ensure(overlay)) || ensure(dashboard)
