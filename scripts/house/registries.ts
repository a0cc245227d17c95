// Registries: generated files that list the declarations of folders, as static imports. They are checked in, as are the table of
// variables in docs/configuration.md and the files of monitoring.
// `npm run generate` writes them, `node scripts/house/registries.ts --check` fails if one is stale.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AnyGroup, operationsOf } from '#contract/core/group.ts'
import { monitoringFiles } from '#scripts/monitoring/files.ts'
import type { Setting } from '#server/core/variables.ts'

/** A generated file with one object: the members that matching files declare, by key. */
export interface Registry {
  /** Generated file, `*.gen.ts`. */
  readonly file: string
  /** Name of the exported object. */
  readonly name: string
  /** Its docblock. */
  readonly about: string
  /** Files that may declare members, as a glob. */
  readonly from: string
  /**
   * Finds the declarations of a file, with the flags `gm`. Group `name`: the exported name. Group `key`, optional: the key;
   * without it, the parts of the path that the wildcards of `from` match, joined by dots.
   */
  readonly declared: RegExp
  /** `value`: the members themselves. `load`: functions that import the member on demand. `module`: the same for the whole file. `type`: an interface of their types. */
  readonly as: 'value' | 'load' | 'module' | 'type'
}

const groupRegistry: Registry = {
  file: 'contract/groups.gen.ts',
  name: 'groups',
  about: 'Groups of the API by id.',
  from: 'contract/areas/*/*.ts',
  declared: /^export const (?<name>\w+) = group\(\s*'(?<key>[^']+)'/gm,
  as: 'value',
}

const settingTables = {
  from: 'server/**/*.ts',
  declared: /^export const (?<name>\w+) = settings\(/gm,
}

export const registries: readonly Registry[] = [
  groupRegistry,
  {
    file: 'server/app/settings.gen.ts',
    name: 'settingTables',
    about: 'Tables of settings by file.',
    ...settingTables,
    as: 'value',
  },
  {
    file: 'server/core/settings.gen.ts',
    name: 'SettingTables',
    about: 'Types of the tables of settings by file.',
    ...settingTables,
    as: 'type',
  },
  {
    file: 'server/app/http/routes.gen.ts',
    name: 'routes',
    about: 'Operations with their handlers, by area and file.',
    from: 'server/areas/*/*.ts',
    declared: /^export const (?<name>\w+) = \[?\.{0,3}implement\(/gm,
    as: 'value',
  },
  {
    file: 'src/app/pages.gen.ts',
    name: 'pages',
    about: 'Pages that declare their own route, by its path.',
    from: 'src/areas/*/*-page.tsx',
    declared: /^export const (?<name>pagePath) = '(?<key>[^']+)'/gm,
    as: 'module',
  },
  ...(
    [
      ['facts', 'facts', 'Identity and abilities of the platforms.'],
      ['mark', 'marks', 'Signs of the platforms.'],
      ['icon', 'icons', 'Brand marks, SVG paths of 24 units. Platforms without one show letters.'],
      ['servers', 'servers', 'Servers of the platforms.'],
      ['chat', 'chatFacts', 'Chats of the platforms that have one.'],
    ] as const
  ).map(([member, name, about]): Registry => ({
    file: `contract/platforms/${name === 'chatFacts' ? 'chats' : name}.gen.ts`,
    name,
    about,
    from: 'contract/platforms/*/facts.ts',
    declared: new RegExp(`^export const (?<name>${member})\\b`, 'gm'),
    as: 'value',
  })),
  {
    file: 'contract/platforms/forms.gen.ts',
    name: 'forms',
    about: 'Forms of the stream settings of the platforms.',
    from: 'contract/platforms/*/form.ts',
    declared: /^export const (?<name>form) =/gm,
    as: 'value',
  },
  {
    file: 'server/db/migrations/all.gen.ts',
    name: 'migrations',
    about: 'Migrations by name.',
    from: 'server/db/migrations/*.ts',
    declared: /^export async function (?<name>up)\(/gm,
    as: 'value',
  },
  {
    file: 'contract/entities/pay-providers.gen.ts',
    name: 'payProviders',
    about: 'Facts of payment providers by name.',
    from: 'contract/entities/pay-providers/*.ts',
    declared: /^export const (?<name>\w+): PayProviderFacts = /gm,
    as: 'value',
  },
  {
    file: 'server/domain/billing/providers/providers.gen.ts',
    name: 'providers',
    about: 'Payment providers by name.',
    from: 'server/domain/billing/providers/*/provider.ts',
    declared: /^export const (?<name>\w+) = payModule\(/gm,
    as: 'value',
  },
  {
    file: 'server/platforms/adapters.gen.ts',
    name: 'adapters',
    about: 'APIs of the platforms, by the kind of their accounts.',
    from: 'server/platforms/*/platform.ts',
    declared: /^export const (?<name>\w+): PlatformAdapter = \{\s*account: '(?<key>[^']+)'/gm,
    as: 'value',
  },
  {
    file: 'server/platforms/chats.gen.ts',
    name: 'chatSources',
    about: 'Chats of the platforms.',
    from: 'server/platforms/*/chat.ts',
    declared: /^export const (?<name>chat): ChatSource =/gm,
    as: 'load',
  },
]

interface Member {
  readonly key: string
  readonly name: string
  readonly path: string
}

/** Returns the members of a registry, sorted by key. @throws Error for a key with two declarations */
export function membersOf({ file, from, declared }: Registry): Member[] {
  const wildcards = new RegExp(
    `^${from.replaceAll('.', String.raw`\.`).replaceAll(/\*\*?/g, (stars) => (stars === '*' ? '([^/]+)' : '(.+)'))}$`,
  )
  const members = globSync(from)
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('.test.'))
    .flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(declared)].map(({ groups = {} }) => ({
        key: groups['key'] ?? wildcards.exec(path)?.slice(1).join('.').replaceAll('/', '.') ?? path,
        name: groups['name'] ?? '',
        path,
      })),
    )
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
  const twice = members.find(({ key }, at) => members[at - 1]?.key === key)
  if (twice) throw new Error(`${file}: "${twice.key}" is declared twice, the second time in ${twice.path}`)
  return members
}

const header = (from: string) => `// Generated from ${from} by scripts/house/registries.ts; do not edit.`
const camel = (text: string) =>
  text.replaceAll(/[^a-z0-9]+(.)/gi, (_, letter: string) => letter.toUpperCase()).replace(/^\d/, '_$&')
/** Imports inside a folder are `./`. */
const specifierOf = (file: string, path: string): string =>
  path.startsWith(`${dirname(file)}/`) ? `./${path.slice(dirname(file).length + 1)}` : `#${path}`
const quoted = (key: string) => (/^[a-z]\w*$/i.test(key) ? key : `'${key}'`)

/** Returns the text of a registry. */
export function textOf(registry: Registry): string {
  const { as, name: registryName } = registry
  const members = membersOf(registry)
  const lines = [header(registry.from)]
  if (as === 'value')
    for (const [path, own = []] of Object.entries(Object.groupBy(members, (member) => member.path)))
      lines.push(
        `import { ${own.map(({ name, key }) => (name === camel(key) ? name : `${name} as ${camel(key)}`)).join(', ')} } from '${specifierOf(registry.file, path)}'`,
      )
  lines.push('', `/** ${registry.about} */`)
  lines.push(as === 'type' ? `export interface ${registryName} {` : `export const ${registryName} = {`)
  const entryOf: Readonly<Record<Registry['as'], (member: Member) => string>> = {
    value: ({ key }) => `${camel(key)},`,
    load: ({ name, path }) => `async () => (await import('${specifierOf(registry.file, path)}')).${name},`,
    module: ({ path }) => `() => import('${specifierOf(registry.file, path)}'),`,
    type: ({ name, path }) => `typeof import('${specifierOf(registry.file, path)}').${name}`,
  }
  for (const member of members) lines.push(`  ${quoted(member.key)}: ${entryOf[as](member)}`)
  return [...lines, as === 'type' ? '}' : '} as const', ''].join('\n')
}

/** The text of the union that types `stale` of writes: reads, groups and areas. A type of the groups themselves would be circular. */
async function staleType(): Promise<string> {
  const ids = new Set<string>()
  for (const { key, name, path } of membersOf(groupRegistry)) {
    const module: Record<string, unknown> = await import(pathToFileURL(path).href)
    ids.add(key.split('.')[0] ?? '').add(key)
    for (const { id, kind } of operationsOf(module[name] as AnyGroup)) if (kind === 'read') ids.add(id)
  }
  const lines = [...ids].toSorted().map((id) => `  | '${id}'`)
  return `${header(groupRegistry.from)}\n\n/** Ids of areas, groups and reads. */\nexport type Stale =\n${lines.join('\n')}\n`
}

/** Returns docs/configuration.md with a row for each variable of the service. */
async function configurationDocument(): Promise<string> {
  const { allSettings } = await import('#server/app/settings.ts')
  const variables = Object.assign({}, ...allSettings.map(([, setting]) => setting.variables)) as Setting['variables']
  const cells = Object.entries(variables).map(([name, { unset, about }]) => [
    `\`${name}\``,
    unset === '' ? '' : `\`${unset}\``,
    about,
  ])
  const rows = [['variable', 'default', 'what it does'], ...cells]
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const lines = rows.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`)
  lines.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`)
  const text = readFileSync('docs/configuration.md', 'utf8')
  return text.replace(/^\| variable [^]*?\n(?!\|)/m, () => `${lines.join('\n')}\n`)
}

/** Yields the operations of `@relaydeck/client`. */
async function* clientOfContract(): AsyncGenerator<readonly [file: string, text: string]> {
  const groups: AnyGroup[] = []
  for (const { name, path } of membersOf(groupRegistry)) {
    const module: Record<string, unknown> = await import(pathToFileURL(path).href)
    groups.push(module[name] as AnyGroup)
  }
  const { tableText, typesText } = await import('#scripts/integrations/client-operations.ts')
  const operations = groups.flatMap(operationsOf)
  yield ['integrations/client/table.gen.ts', tableText(operations)]
  yield ['integrations/client/types.gen.ts', await typesText(operations)]
}

/** Yields generated files with their texts. Later ones import the registries before them. */
export async function* generated(): AsyncGenerator<readonly [file: string, text: string]> {
  for (const one of registries) yield [one.file, textOf(one)]
  yield ['contract/core/stale.gen.ts', await staleType()]
  yield* clientOfContract()
  yield ['docs/configuration.md', await configurationDocument()]
  for (const [file, text] of Object.entries(monitoringFiles)) yield [file, text()]
}

if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) {
  const isCheck = process.argv.includes('--check')
  for await (const [file, text] of generated()) {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    if (!isCheck) writeFileSync(file, text)
    else process.exitCode = 1
    console.log(isCheck ? `${file} is stale. Run npm run generate.` : `Wrote ${file}`)
  }
}
