// Table of pages whose operations are not served yet: address and waiting API groups.
// Remove the row when a page gets its own area. Texts: `coming:<key>.title` and `.text`, tabs below `.tabs`.
import { paths } from '#src/lib/paths.ts'

export interface ComingTab {
  readonly key: string
  /** Last URL segment; empty for the page itself. */
  readonly path: string
  readonly groups: readonly string[]
}

export interface ComingPage {
  readonly key: string
  readonly to: (projectId: number | string) => string
  readonly tabs: readonly [ComingTab, ...ComingTab[]]
}

export const comingPages: readonly ComingPage[] = [
  {
    key: 'media',
    to: paths.media,
    tabs: [
      { key: 'files', path: '', groups: ['media.files'] },
      { key: 'videos', path: 'videos', groups: ['media.videos'] },
    ],
  },
]

/** Key of a tab's texts below `coming:`. */
export const textsOf = (key: string, tab: ComingTab): string => (tab.key === '' ? key : `${key}.tabs.${tab.key}`)

/** Address of a tab. */
export const tabTo = (one: ComingPage, tab: ComingTab, projectId: number | string): string =>
  [one.to(projectId), tab.path].filter(Boolean).join('/')
