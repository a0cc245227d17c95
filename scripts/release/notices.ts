// Licences and bill of materials of a release, by the lists of what it contains.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetched, type LockedPackage } from './packages.ts'

/** A package with its licence. */
interface Notice {
  readonly name: string
  readonly version: string
  readonly identifier: string
  readonly text: string
}

/** Bundles, each with the list that Vite writes. */
const bundles = ['dist/service', 'dist/dashboard']
const line = '-'.repeat(80)

const bundled = (): readonly Notice[] =>
  bundles.flatMap((folder) => JSON.parse(readFileSync(join(folder, '.vite/licenses.json'), 'utf8')) as Notice[])

/** Packages without a file of their licence: the texts that they name. */
const kept: Readonly<Record<string, string>> = {
  'abstract-logging': 'MIT License\nCopyright (c) James Sumners',
  http_ece: 'MIT License\nCopyright (c) Martin Thomson',
  standardwebhooks: 'MIT License\nCopyright (c) Standard Webhooks',
  tr46: 'MIT License\nCopyright (c) Sebastian Mayr',
}

function noticeOf({ name, version }: LockedPackage, folder: string): Notice {
  const { license = '' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { license?: string }
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each))
  return { name, version, identifier: license, text: file ? readFileSync(join(folder, file), 'utf8') : '' }
}

/**
 * Returns the notices of third parties.
 * @param beside packages of the archive that are not bundled
 */
export function noticesOf(beside: readonly LockedPackage[], node: LockedPackage): string {
  const nodeNotice = { ...noticeOf(node, fetched(node)), name: 'Node.js' }
  const all = new Map<string, Notice>()
  const packages = beside.map((each) => noticeOf(each, each.path))
  for (const notice of [...bundled(), ...packages]) all.set(`${notice.name} ${notice.version}`, notice)
  const sorted = [...all.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, notice]) => notice)
  const texts = [...sorted, nodeNotice].map(({ name, version, identifier, text }) => {
    const source = identifier.startsWith('MPL') ? `\nSource: https://www.npmjs.com/package/${name}/v/${version}` : ''
    return `${name} ${version} (${identifier || 'see below'})${source}\n\n${(text || kept[name] || `Licence: ${identifier}`).trim()}\n`
  })
  return ['Relaydeck contains the following software of third parties.\n', ...texts].join(`\n${line}\n\n`)
}

/** Packages that Vite bundles because one for development has installed them; npm counts them to that one. */
const optional: readonly Component[] = [
  ['has-flag', '4.0.0'],
  ['supports-color', '7.2.0'],
].map(([name = '', version = '']) => {
  const purl = `pkg:npm/${name}@${version}`
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    purl,
    licenses: [{ license: { id: 'MIT' } }],
  }
})

interface Component {
  readonly name: string
  readonly version: string
  readonly 'bom-ref': string
}

interface Sbom {
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
  readonly metadata: Readonly<Record<string, unknown>>
}

/** Runs `npm sbom` without the packages for development: with them it leaves out those that both need. */
function npmSbom(): Sbom {
  const folder = '.cache/release/sbom'
  mkdirSync(folder, { recursive: true })
  const { devDependencies: _dev, ...project } = JSON.parse(readFileSync('package.json', 'utf8'))
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const entries = Object.entries<{ readonly dev?: boolean }>(lock.packages).filter(([, { dev }]) => !dev)
  const { devDependencies: _gone, ...top } = lock.packages['']
  const packages = { ...Object.fromEntries(entries), '': top }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }))
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  return JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 })) as Sbom
}

/**
 * Returns the bill of materials in the format CycloneDX: that of npm, with the packages that the archive contains. Time and
 * number come from the commit.
 * @throws for a package of the archive that npm does not know as a dependency
 */
export function sbomOf(
  beside: readonly LockedPackage[],
  node: LockedPackage,
  about: { readonly commit: string; readonly time: number; readonly version: string },
): string {
  const wanted = new Set([...bundled(), ...beside].map(({ name, version }) => `${name}@${version}`))
  const all = npmSbom()
  const components = [...all.components, ...optional].filter(({ name, version }) => wanted.has(`${name}@${version}`))
  const found = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const missing = [...wanted].filter((each) => !found.has(each))
  if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(', ')}`)
  const refs = new Set(components.map((each) => each['bom-ref']))
  const product = {
    'bom-ref': `relaydeck@${about.version}`,
    type: 'application',
    name: 'relaydeck',
    version: about.version,
  }
  const runtime = {
    'bom-ref': `${node.name}@${node.version}`,
    type: 'platform',
    name: 'Node.js',
    version: node.version,
    purl: `pkg:npm/${node.name}@${node.version}`,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(node.integrity.slice(7), 'base64').toString('hex') }],
  }
  const hash = createHash('sha256').update(about.commit).update(node.name).digest('hex')
  const serial = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `5${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ]
  return `${JSON.stringify(
    {
      ...all,
      serialNumber: `urn:uuid:${serial.join('-')}`,
      metadata: { timestamp: new Date(about.time * 1000).toISOString(), component: product },
      components: [...components, runtime],
      dependencies: all.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
    },
    null,
    2,
  )}\n`
}
