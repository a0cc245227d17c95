// Files of the built dashboard: few larger ones, because a request costs more than 10 KB on a line of 150 ms
// (docs/decisions/0067).
import { createHash } from 'node:crypto'

/** Characters of the hash in the name of a class. */
const hashLength = 5

/** Returns the name of a class in the build. Without the line, which Vite adds and which compresses badly. */
export const className = (name: string, _file: string, css: string): string =>
  `_${name}_${createHash('sha256').update(css).digest('hex').slice(0, hashLength)}`

/** The modules, as the bundler knows them. */
interface Modules {
  getModuleInfo: (id: string) => {
    readonly importers: readonly string[]
    readonly dynamicImporters: readonly string[]
  } | null
}

/** Namespaces of texts that pages need together, by the name of their file. */
const together: Readonly<Record<string, readonly string[]>> = {
  common: ['common', 'parts', 'live', 'help-links', 'servers'],
  home: ['home', 'off-air', 'on-air-later', 'broadcasts', 'faults'],
  channels: ['channels', 'sharing'],
  account: ['account', 'apps'],
  chat: ['chat', 'chat-list'],
  operator: ['operator', 'operator-desk', 'operator-money'],
  plans: ['tariffs', 'pay', 'billing', 'billing-history', 'promo', 'renewal', 'transfer'],
}

const fileOf = new Map(Object.entries(together).flatMap(([file, names]) => names.map((name) => [name, file] as const)))

/** Returns the name of the file of a text, which has one language. */
export function textsFile(id: string): string | null {
  const [, language, namespace = ''] = /locales\/(\w+)\/([\w-]+)\.json/.exec(id) ?? []
  return language === undefined ? null : `${fileOf.get(namespace) ?? namespace}-${language}`
}

/** File of every page: the shell, and modules that several of the others load. */
const frame = 'frame'

/** Files of pages by their modules, the first that fits. Other modules that are loaded on demand have a file each. */
const pages: readonly (readonly [modules: RegExp, file?: string])[] = [
  [
    /src\/app\/shell\/(?:shell|bell)\.tsx$|src\/areas\/(?:operator\/operator|channels\/list\/channels)-page\.tsx$/,
    frame,
  ],
  [/src\/app\/sign-in\/sign-in-page\.tsx$/, 'sign-in'],
  [/src\/app\/sign-in\//, 'invite'],
  [/src\/app\/(home)\/(?!from-browser\/)/],
  [/src\/areas\/operator\/(?:ledger|papers|payments|payouts|plans|promos|sold)-part\.tsx$/, 'sales'],
  // Forms, a library of 13 KB, are no part of the first two pages.
  [/src\/areas\/operator\/overview-part\.tsx$/, 'overview'],
  [/src\/areas\/operator\/(?:general|health|servers)-part\.tsx$/, 'server'],
  [/src\/areas\/account\/(?:api-tokens|apps|security|sessions|sign-in)-part\.tsx$/, 'security'],
  [/src\/areas\/chat\/(?:dock-page|(?:keys|log|people|settings|widgets)-part)\.tsx$/, 'chat-side'],
  [/src\/areas\/broadcasts\/schedule-part\.tsx$/, 'schedule'],
  [/src\/areas\/projects\/history-part\.tsx$/, 'project-history'],
  [/src\/areas\/ingest\/(?:pull|transcoders)-part\.tsx$/, 'transcoders'],
  [/src\/areas\/channels\/(?:accounts|add|detail)\/[\w-]+-(?:page|part)\.tsx$/, 'channel'],
  [/src\/areas\/(?!reference)([\w-]+)\/.*-(?:page|part)\.tsx$/],
]

function pageFile(id: string): string | undefined {
  for (const [modules, file] of pages) {
    const found = modules.exec(id)
    if (found) return file ?? found[1]
  }
  return undefined
}

/** Returns the files of the pages that load a module with themselves. */
function loadedBy(id: string, modules: Modules): Set<string> {
  const seen = new Set([id])
  const files = new Set<string>()
  for (const one of seen) {
    const { importers = [], dynamicImporters = [] } = modules.getModuleInfo(one) ?? {}
    const file = dynamicImporters.length > 0 ? pageFile(one) : undefined
    if (file !== undefined) files.add(file)
    for (const importer of importers) seen.add(importer)
  }
  return files
}

/** Files whose pages load another one as well, which has the modules of both. */
const above = new Map([
  ['sales', 'operator'],
  ['server', 'operator'],
  ['chat-side', 'chat'],
  ['transcoders', 'ingest'],
  ['project-history', 'projects'],
  ['schedule', 'broadcasts'],
  ['security', 'account'],
  ['invite', 'sign-in'],
])

/** Returns the name of the file of a module: that of its page, or `frame` where several pages load it. */
export function moduleFile(id: string, modules: Modules): string | null {
  const files = loadedBy(id, modules)
  const [first = null, second] = files.size > 1 ? new Set([...files].map((file) => above.get(file) ?? file)) : files
  return second === undefined ? first : frame
}

/** Returns the name of the file of a module that several pages load; null for one page. */
export function sharedFile(id: string, modules: Modules): string | null {
  const file = moduleFile(id, modules)
  return file === frame ? file : null
}
