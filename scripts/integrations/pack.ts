// `npm run integrations`: writes `dist/integrations/` with a tarball for each package of `integrations/`.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import { bin, say } from '#scripts/house/step.ts'

/** A package of `integrations/`. */
interface Package {
  /** Folder below `integrations/`, with `main.ts` and `README.md`. */
  readonly folder: string
  readonly name: string
  readonly description: string
  /** Packages that it loads: their versions are those of this repository. All others are bundled. */
  readonly dependencies: readonly string[]
  /**
   * `library`: programs import it with types, in runtimes without Node's modules as well. `program`: a command for Node. `module`: of
   * Bitfocus Companion, with its `manifest.json`. `plugin`: of Elgato Stream Deck, with its `manifest.json`, settings page and pictures.
   */
  readonly kind: 'library' | 'program' | 'module' | 'plugin'
}

const packages = [
  {
    folder: 'client',
    name: '@relaydeck/client',
    description: 'Typed client of the Relaydeck API: all operations, realtime and tokens',
    dependencies: ['centrifuge'],
    kind: 'library',
  },
  {
    folder: 'mcp',
    name: '@relaydeck/mcp',
    description: 'MCP server of Relaydeck: control and reads for assistants',
    dependencies: ['@modelcontextprotocol/node', '@modelcontextprotocol/server'],
    kind: 'program',
  },
  {
    folder: 'companion',
    name: '@relaydeck/companion',
    description: 'Module of Bitfocus Companion for Relaydeck',
    dependencies: [],
    kind: 'module',
  },
  {
    folder: 'streamdeck',
    name: '@relaydeck/streamdeck',
    description: 'Plugin of Elgato Stream Deck for Relaydeck',
    dependencies: [],
    kind: 'plugin',
  },
] as const satisfies readonly Package[]

/** Folder names of the packages. */
export type PackageFolder = (typeof packages)[number]['folder']

const { version, license, dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** Fields of `package.json` by the kind of package. */
const entryOf: Readonly<Record<Package['kind'], (one: Package) => Readonly<Record<string, unknown>>>> = {
  library: () => ({
    engines: { node: '>=20' },
    exports: { '.': { types: './main.d.ts', default: './main.js' } },
    types: './main.d.ts',
    sideEffects: false,
  }),
  program: ({ name }) => ({
    engines: { node: '>=20' },
    bin: { [name.replace('@', '').replace('/', '-')]: './main.js' },
  }),
  module: () => ({ engines: { node: '^22.20' }, main: 'main.js' }),
  plugin: () => ({ engines: { node: '>=20' }, main: 'main.js' }),
}

const manifestOf = (one: Package) => ({
  name: one.name,
  version,
  description: one.description,
  license,
  type: 'module',
  ...entryOf[one.kind](one),
  dependencies: Object.fromEntries(
    one.dependencies.map((name) => [name, dependencies[name] ?? devDependencies[name] ?? '']),
  ),
})

/** Writes the manifest of a module of Companion, with the versions of this repository. */
function describeModule({ folder }: Package, stage: string): void {
  const manifest = JSON.parse(readFileSync(`integrations/${folder}/manifest.json`, 'utf8')) as {
    readonly runtime: Readonly<Record<string, string>>
  }
  const runtime = { ...manifest.runtime, apiVersion: devDependencies['@companion-module/base'] }
  mkdirSync(join(stage, 'companion'))
  const text = JSON.stringify({ ...manifest, version, runtime }, null, 2)
  writeFileSync(join(stage, 'companion/manifest.json'), `${text}\n`)
  // Companion shows it as the help of the module.
  cpSync(`integrations/${folder}/README.md`, join(stage, 'companion/HELP.md'))
}

/** Writes manifest, settings page and pictures of a plugin of Stream Deck, with the version of this repository. */
function describePlugin({ folder }: Package, stage: string): void {
  const manifest = JSON.parse(readFileSync(`integrations/${folder}/manifest.json`, 'utf8')) as object
  writeFileSync(join(stage, 'manifest.json'), `${JSON.stringify({ ...manifest, Version: `${version}.0` }, null, 2)}\n`)
  for (const name of ['ui', 'imgs']) cpSync(`integrations/${folder}/${name}`, join(stage, name), { recursive: true })
}

/**
 * Packs one package.
 * @param to folder of the tarball
 * @returns the path of the tarball
 */
export async function pack(folder: PackageFolder, to: string): Promise<string> {
  const one: Package | undefined = packages.find((each) => each.folder === folder)
  if (!one) throw new Error(`There is no package "${folder}"`)
  const stage = mkdtempSync(join(tmpdir(), 'relaydeck-pack-'))
  try {
    await Promise.all([bundle(one, stage), one.kind === 'library' ? declare(one, stage) : undefined])
    if (one.kind === 'module') describeModule(one, stage)
    if (one.kind === 'plugin') describePlugin(one, stage)
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifestOf(one), null, 2)}\n`)
    for (const [from, name] of [
      [`integrations/${folder}/README.md`, 'README.md'],
      ['LICENSE', 'LICENSE'],
    ] as const)
      cpSync(from, join(stage, name))
    mkdirSync(to, { recursive: true })
    const args = ['pack', '--json', '--offline', '--ignore-scripts', '--pack-destination', resolve(to)]
    const { stdout } = await promisify(execFile)('npm', args, { cwd: stage })
    // npm 12 answers an object by name, earlier ones a list.
    const [{ filename = '' } = {}] = Object.values(JSON.parse(stdout) as Record<string, { readonly filename?: string }>)
    return join(to, filename.replace('@', '').replace('/', '-'))
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

async function bundle({ folder, dependencies: external, kind }: Package, stage: string): Promise<void> {
  const isLibrary = kind === 'library'
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ...(isLibrary ? {} : { ssr: { noExternal: true, external: [...external] } }),
    build: {
      outDir: stage,
      emptyOutDir: false,
      // Bundlers of programs minify; readers of stack traces do not have to.
      minify: false,
      // Licences of the packages inside.
      ...(isLibrary ? {} : { license: { fileName: 'NOTICES.md' } }),
      target: { library: 'es2022', program: 'node20', module: 'node22', plugin: 'node20' }[kind],
      ...(isLibrary
        ? { lib: { entry: `integrations/${folder}/main.ts`, formats: ['es'], fileName: () => 'main.js' } }
        : { ssr: `integrations/${folder}/main.ts` }),
      rolldownOptions: { external: [...external], output: { entryFileNames: 'main.js' } },
    },
  })
}

/** Writes the declarations. They name modules of the package only. */
async function declare({ folder }: Package, stage: string): Promise<void> {
  const out = join(stage, 'types')
  const config = join(stage, 'tsconfig.json')
  const options = {
    composite: false,
    declaration: true,
    noCheck: true,
    skipLibCheck: true,
    rootDir: resolve('.'),
    outDir: out,
    lib: ['es2024', 'dom', 'dom.iterable'],
  }
  const files = [resolve('integrations', folder, 'main.ts')]
  writeFileSync(config, JSON.stringify({ extends: resolve('tsconfig.base.json'), compilerOptions: options, files }))
  await promisify(execFile)(process.execPath, [resolve(bin('typescript', 'tsc')), '-p', config])
  const made = join(out, 'integrations', folder)
  for (const name of readdirSync(made)) {
    // Without `.ts`, which only declarations inside a project resolve.
    const text = readFileSync(join(made, name), 'utf8').replaceAll(/(['"]\.\/[^'"]+)\.ts(['"])/g, '$1.js$2')
    writeFileSync(join(stage, name), text)
  }
  rmSync(out, { recursive: true })
  rmSync(config)
}

/** Packs all packages into `dist/integrations/`. @returns the exit code */
export async function packAll(): Promise<number> {
  for (const { folder } of packages) say(await pack(folder, 'dist/integrations'))
  return 0
}
