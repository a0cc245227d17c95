// Files of a release and the facts about it.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { newestMigration, schemaFloor } from '#server/db/migrate.ts'
import type { ReleaseFacts } from '#server/app/ops/release.ts'
import { noticesOf, sbomOf } from './notices.ts'
import { type Architecture, argonOf, fetched, nodeOf, packagesBeside } from './packages.ts'
import type { ArchiveFile } from './tar.ts'

export type Files = Map<string, ArchiveFile>

/** Folders and files of the project. */
const own = ['CHANGELOG.md', 'LICENSE', 'deploy', 'dist/dashboard', 'dist/overlay', 'dist/service', 'handbook']
/** Files beside the sources that the service reads. */
const besideSources = 'server/app/sign-in'

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()

function addTree(files: Files, from: string, to: string): void {
  if (!statSync(from).isDirectory()) return void files.set(to, { content: readFileSync(from) })
  for (const name of readdirSync(from))
    if (!['.bin', '.vite'].includes(name)) addTree(files, join(from, name), `${to}/${name}`)
}

/** Returns the files of a release, without those that `finish` adds. The parts of `dist` must be built. */
export function contentsOf(arch: Architecture): { readonly files: Files; readonly facts: ReleaseFacts } {
  const files: Files = new Map()
  const { name, version, description, license, type } = JSON.parse(readFileSync('package.json', 'utf8'))
  const commit = git('rev-parse', 'HEAD')
  const time = Number(git('show', '-s', '--format=%ct', 'HEAD'))
  const isClean = git('status', '--porcelain') === ''
  for (const path of own) addTree(files, path, path)
  for (const file of readdirSync(besideSources).filter((each) => /\.(css|js)$/.test(each)))
    addTree(files, join(besideSources, file), join(besideSources, file))
  const [beside, node, argon] = [packagesBeside(), nodeOf(arch), argonOf(arch)]
  // A package is inside another one where their versions differ: each is added with the tree of the outer one.
  for (const { path } of beside.filter((each) => !each.path.slice(1).includes('/node_modules/')))
    addPackage(files, path)
  addTree(files, fetched(argon), argon.path)
  files.set('bin/node', { content: readFileSync(join(fetched(node), 'bin/node')), isProgram: true })
  files.set('bin/relaydeck', { content: readFileSync('deploy/relaydeck.sh'), isProgram: true })
  const text = (content: string) => ({ content: Buffer.from(content) })
  files.set(
    'package.json',
    text(`${JSON.stringify({ name, version, description, license, type, private: true }, null, 2)}\n`),
  )
  files.set('NOTICES.txt', text(noticesOf([...beside, argonWithText(argon)], node)))
  files.set('SBOM.json', text(sbomOf([...beside, argon], node, { commit, time, version })))
  const facts = {
    name: 'relaydeck',
    version,
    arch,
    commit: isClean ? commit : `${commit}-changed`,
    time,
    glibc: '2.28',
    schema: newestMigration(),
    floor: schemaFloor(),
  } as const
  return { files, facts }
}

/** The native part has no text of its licence: that of the package that loads it. */
const argonWithText = (argon: ReturnType<typeof argonOf>) => ({ ...argon, path: 'node_modules/@node-rs/argon2' })

/** Adds an installed package, without those inside it that the release does not need. */
function addPackage(files: Files, path: string): void {
  const inner = join(path, 'node_modules')
  const wanted = new Set(packagesBeside().map((each) => each.path))
  for (const name of readdirSync(path).filter((each) => each !== 'node_modules'))
    addTree(files, join(path, name), `${path}/${name}`)
  if (!existsSync(inner)) return
  for (const each of [...wanted].filter((one) => one.startsWith(`${inner}/`))) addPackage(files, each)
}

/** Adds facts and manifest. @returns the files below the folder of the release */
export function finish(files: Files, facts: ReleaseFacts): Files {
  const all: Files = new Map(files)
  all.set('RELEASE.json', { content: Buffer.from(`${JSON.stringify(facts, null, 2)}\n`) })
  const hash = (content: Buffer) => createHash('sha256').update(content).digest('hex')
  const lines = [...all].map(([path, { content }]) => `${hash(content)}  ${path}\n`)
  all.set('MANIFEST', { content: Buffer.from(lines.toSorted((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join('')) })
  const folder = `${facts.name}-${facts.version}-linux-${facts.arch}`
  return new Map([...all].map(([path, file]) => [`${folder}/${path}`, file]))
}
