// Import rules: one row per layer. The lint reads this table (oxlint.config.ts), and repository tests compare it
// with the tree. Imports inside a folder are `./file.ts`; all others are `#…` with extension; never `../`.
import { existsSync, readdirSync } from 'node:fs'

/** A layer: its folder, the own modules that it may import beside itself, and the packages that it must not import. */
export interface Layer {
  readonly folder: string
  /** Folders or files. `*` stands for the name of the layer's own area. */
  readonly may: readonly string[]
  readonly mayNot?: readonly string[]
  /** The folder has one folder per area, and no area may import another. */
  readonly islands?: true
}

const web = ['contract/core', 'contract/entities', 'contract/platforms', 'contract/areas', 'contract/events']
// The pages list operations that are not served yet.
const shared = [
  ...web,
  'contract/not-served.ts',
  'src/session',
  'src/lib',
  'src/api',
  'src/realtime',
  'src/stores',
  'src/styles',
]
const framework = [
  'react',
  'react-dom',
  'react-router',
  'react-i18next',
  'i18next',
  '@tanstack/',
  '@base-ui/',
  'zustand',
]
// Pages use the hooks of `src/components/form`.
const formLibrary = ['react-hook-form']
const http = ['fastify', '@fastify/']
// Modules that each concept may import beside the concepts below it.
const belowDomain = [
  'contract/core',
  'contract/entities',
  'contract/platforms',
  'contract/events',
  'contract/relay',
  'locales',
  'server/core',
  'server/db',
]
// The contract may import the schema library only.
const runtimes = ['node:', ...framework, 'fastify', '@fastify/', 'kysely']

/** Folders of `server/domain`, lowest first: a concept may import earlier concepts, but no later ones. */
export const concepts = [
  'installation',
  'account',
  'money',
  'tariffs',
  'projects',
  'notifications',
  'billing',
  'channels',
  'platforms',
  'ingest',
  'media',
  'broadcasts',
  'chat',
  'realtime',
  'operator',
] as const

export const layers: readonly Layer[] = [
  { folder: 'contract', may: ['contract'], mayNot: runtimes },
  { folder: 'contract/core', may: [], mayNot: runtimes },
  { folder: 'contract/platforms', may: ['contract/core', 'contract/platforms'], mayNot: runtimes },
  { folder: 'contract/entities', may: ['contract/core', 'contract/platforms'], mayNot: runtimes },
  {
    folder: 'contract/areas',
    may: ['contract/core', 'contract/entities', 'contract/platforms', 'contract/events'],
    mayNot: runtimes,
    islands: true,
  },
  { folder: 'contract/events', may: ['contract/core', 'contract/entities', 'contract/platforms'], mayNot: runtimes },
  { folder: 'contract/relay', may: ['contract/core', 'contract/entities', 'contract/platforms'], mayNot: runtimes },

  { folder: 'server/db', may: ['contract/core', 'contract/entities', 'contract/platforms'], mayNot: http },
  {
    folder: 'server/core',
    may: [
      'contract/core',
      'contract/entities',
      'contract/platforms',
      'contract/events',
      'contract/not-served.ts',
      'locales',
      'server/db',
    ],
  },
  { folder: 'server/domain', may: belowDomain, mayNot: http },
  ...concepts.map((name, at) => ({
    folder: `server/domain/${name}`,
    may: [...belowDomain, ...concepts.slice(0, at).map((lower) => `server/domain/${lower}`)],
    mayNot: http,
  })),
  {
    folder: 'server/areas',
    may: [
      'contract/core',
      'contract/entities',
      'contract/platforms',
      'contract/events',
      'contract/relay',
      'contract/areas/*',
      'locales',
      'server/core',
      'server/db',
      'server/domain',
      'server/content',
    ],
    mayNot: http,
    islands: true,
  },
  {
    folder: 'server/content',
    may: ['contract/core', 'contract/entities', 'contract/platforms', 'server/core'],
    mayNot: http,
  },
  { folder: 'server/storage', may: ['server/core'], mayNot: http },
  {
    folder: 'server/realtime',
    may: [
      'contract/core',
      'contract/entities',
      'contract/platforms',
      'contract/events',
      'server/core',
      'server/domain',
    ],
  },
  {
    folder: 'server/relay',
    may: [
      'contract/core',
      'contract/entities',
      'contract/platforms',
      'contract/events',
      'contract/relay',
      'server/core',
      'server/domain',
    ],
  },
  {
    folder: 'server/chat',
    may: ['contract/core', 'contract/entities', 'contract/platforms', 'server/core', 'server/domain'],
    mayNot: http,
  },
  {
    folder: 'server/platforms',
    may: [
      'contract/core',
      'contract/entities',
      'contract/platforms',
      'server/core',
      'server/domain',
      'server/chat',
      'server/platforms',
    ],
    mayNot: http,
  },
  {
    folder: 'server/delivery',
    may: [
      'contract/core',
      'contract/entities',
      'contract/platforms',
      'contract/events',
      'server/core',
      'server/domain',
    ],
    mayNot: http,
  },
  {
    folder: 'server/testing',
    may: [
      'contract',
      'server/core',
      'server/db',
      'server/domain',
      'server/delivery',
      'server/platforms',
      'server/storage',
      'server/app',
    ],
  },
  { folder: 'server/app', may: ['contract', 'locales', 'server'] },

  { folder: 'src/ui', may: ['src/styles'], mayNot: ['react-router', '@tanstack/', 'zod'] },
  {
    folder: 'src/lib',
    may: ['contract/core', 'contract/entities', 'contract/platforms'],
    mayNot: ['@tanstack/', '@base-ui/'],
  },
  { folder: 'src/styles', may: [] },
  { folder: 'src/session', may: ['contract/core', 'src/lib'], mayNot: [...framework, 'zod'] },
  { folder: 'src/api', may: [...web, 'src/session', 'src/lib', 'src/stores'] },
  { folder: 'src/realtime', may: [...web, 'src/session', 'src/lib', 'src/stores', 'src/api'] },
  { folder: 'src/stores', may: [...web, 'src/session', 'src/lib'], mayNot: ['@tanstack/', 'react-router'] },
  { folder: 'src/components', may: [...shared, 'src/ui'] },
  { folder: 'src/areas', may: [...shared, 'src/ui', 'src/components'], mayNot: formLibrary, islands: true },
  // A page of its own, without the framework: its parts are counted in kilobytes.
  {
    folder: 'src/overlay',
    may: [
      'contract/entities',
      'contract/platforms',
      'contract/events',
      'locales',
      'src/lib',
      'src/realtime/chat-follower.ts',
      'src/realtime/key-feed.ts',
      // For its tests.
      'src/components/message-list/fixtures.ts',
    ],
    mayNot: [...framework, 'zod'],
  },
  { folder: 'src/app', may: [...web, 'src'], mayNot: formLibrary },
  // Page tests use the real service in their process, so that no mock of the API has to be maintained.
  { folder: 'src/testing', may: ['contract', 'src', 'server/testing', 'server/core'] },

  {
    folder: 'e2e',
    may: ['contract', 'e2e', 'server/app', 'server/testing', 'server/core', 'server/relay', 'src/lib/paths.ts'],
  },
  // Packages of their own, made from the contract; their users have nothing else of the project.
  { folder: 'integrations', may: [] },
  {
    folder: 'integrations/client',
    may: ['contract/core/backoff.ts', 'contract/events/channels.ts'],
    // Its types have no Node.
    mayNot: ['zod', ...framework],
  },
  // What control surfaces share; each package bundles it.
  { folder: 'integrations/surface', may: ['integrations/client/main.ts'], mayNot: ['zod', ...framework] },
  {
    folder: 'integrations/companion',
    may: ['integrations/client/main.ts', 'integrations/surface'],
    mayNot: ['zod', ...framework],
  },
  {
    folder: 'integrations/streamdeck',
    may: ['integrations/client/main.ts', 'integrations/surface'],
    mayNot: ['zod', ...framework],
  },
  {
    folder: 'integrations/mcp',
    may: [
      'contract',
      'integrations/client/main.ts',
      'locales',
      'src/lib/air-texts.ts',
      'src/lib/health.ts',
      'src/lib/marks.ts',
    ],
  },
  { folder: 'scripts', may: ['contract', 'e2e', 'integrations', 'locales', 'server', 'src', 'scripts'] },
]

/** Additional imports for the tests of a side. */
export const testsMay: Readonly<Record<string, readonly string[]>> = {
  contract: ['contract'],
  server: ['contract', 'server/testing', 'server/core', 'server/db', 'server/domain'],
  src: ['contract', 'src/testing', 'server/testing', 'server/core'],
  integrations: ['contract', 'server/testing', 'server/core', 'integrations', 'scripts'],
}

/** Files that may import more than their layer, each with the reason. */
export const exceptions: readonly { readonly folder: string; readonly may: readonly string[]; readonly why: string }[] =
  [
    {
      folder: 'src/areas/reference',
      may: ['contract', 'src/testing'],
      why: 'the reference pages show the whole registry, on demand',
    },
    {
      folder: 'e2e/session',
      may: ['src/session', 'src/api'],
      why: 'the harness page runs the session layer by itself',
    },
  ]

/** One forbidden form of import. */
export interface Pattern {
  readonly regex: string
  readonly message: string
}

const everywhere: readonly Pattern[] = [
  { regex: String.raw`^\.\.(/|$)|/\.\.(/|$)`, message: 'No `../`: `./` inside a folder, else `#…`.' },
  { regex: '^zod$|^zod/(v|locales)', message: 'Import from `zod/mini`: `zod` costs every page 20 KB more.' },
]

const escape = (text: string): string => text.replaceAll(/[.\\+^$()|[\]{}*]/g, String.raw`\$&`)

/** Returns the patterns that a layer forbids, as regular expressions: a `group` starting with # matches nothing. */
export function forbidden(layer: Layer, more: readonly string[] = []): Pattern[] {
  const may = [...layer.may, ...more]
  const why = `${layer.folder} may not import this: imports go down (docs/architecture.md)`
  const ours = unlisted(['contract', 'locales', 'server', 'src', 'e2e', 'integrations', 'scripts'], may)
  const packages = (layer.mayNot ?? []).map((name) => (/[/:]$/.test(name) ? escape(name) : `${escape(name)}(/|$)`))
  return [
    ...everywhere,
    ...ours.map((place) => ({ regex: `^#${escape(place)}(/|$)`, message: why })),
    ...packages.map((name) => ({ regex: `^${name}`, message: why })),
  ]
}

/** Returns the places that no entry of the list allows. A partly allowed place is replaced by its children. */
function unlisted(places: readonly string[], may: readonly string[]): string[] {
  return places.flatMap((place) => {
    if (may.includes(place)) return []
    if (!may.some((entry) => entry.startsWith(`${place}/`)) || !existsSync(place)) return [place]
    const children = readdirSync(place, { withFileTypes: true })
    return unlisted(
      children
        .filter((child) => child.isDirectory() || /\.tsx?$/.test(child.name))
        .map((child) => `${place}/${child.name}`),
      may,
    )
  })
}

/** Returns the rows of the table, with one row per area for islands. Later rows override earlier ones. */
export function rows(): Layer[] {
  return layers.flatMap((layer) => {
    if (!layer.islands || !existsSync(layer.folder)) return [layer]
    const areas = readdirSync(layer.folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const own = areas.map(({ name }) => ({
      ...layer,
      folder: `${layer.folder}/${name}`,
      may: layer.may.map((entry) => entry.replace('*', name)),
    }))
    return [layer, ...own]
  })
}
