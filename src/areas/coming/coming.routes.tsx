import type { RouteObject } from 'react-router'
import { comingPages, tabTo, textsOf } from './pages.ts'

/** One route for each page and tab of the table. */
export const routes: RouteObject[] = comingPages.flatMap((page) =>
  page.tabs.map((tab) => ({
    path: tabTo(page, tab, ':projectId'),
    handle: { title: `coming:${textsOf(page.key, tab)}.title` },
    lazy: async () => {
      const { ComingPage } = await import('./coming-page.tsx')
      return { element: <ComingPage page={page} tab={tab} /> }
    },
  })),
)
