// Texts of the widget pages, in the language of the browser. OBS has that of the system.

type Tree = { readonly [key: string]: string | Tree }
/** Returns a text by its path, with values filled in; null where there is none. */
export type Texts = (path: string, values?: Readonly<Record<string, string | number>>) => string | null

type Load = () => Promise<{ readonly default: Tree }>

const languages = {
  en: {
    page: () => import('#locales/en/widget-pages.json'),
    faults: () => import('#locales/en/faults.json'),
    live: () => import('#locales/en/live.json'),
  },
  ru: {
    page: () => import('#locales/ru/widget-pages.json'),
    faults: () => import('#locales/ru/faults.json'),
    live: () => import('#locales/ru/live.json'),
  },
  cn: {
    page: () => import('#locales/cn/widget-pages.json'),
    faults: () => import('#locales/cn/faults.json'),
    live: () => import('#locales/cn/live.json'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Load>>>>

/** Loads the texts of namespaces; paths begin with the namespace. @param wanted tags of languages, the best first */
export async function loadTexts(
  namespaces: readonly (keyof (typeof languages)['en'])[],
  wanted: readonly string[],
): Promise<Texts> {
  const codes = wanted.map((tag) => (tag.toLowerCase().startsWith('zh') ? 'cn' : tag.toLowerCase().slice(0, 2)))
  const code = codes.find((one): one is keyof typeof languages => one in languages) ?? 'en'
  document.documentElement.lang = code === 'cn' ? 'zh-Hans' : code
  const tree: Tree = Object.fromEntries(
    await Promise.all(namespaces.map(async (name) => [name, (await languages[code][name]()).default] as const)),
  )
  return (path, values = {}) => {
    let at: string | Tree | undefined = tree
    for (const key of path.split('.')) at = typeof at === 'object' ? at[key] : undefined
    if (typeof at !== 'string') return null
    return at.replaceAll(/\{\{(\w+)\}\}/g, (all, name: string) => String(values[name] ?? all))
  }
}
