import type { RouteObject } from 'react-router'
import { paths } from '#src/lib/paths.ts'

/** Broadcasts beside each other: how they went, over time and one against another. */
export const routes: RouteObject[] = [
  {
    path: paths.analytics(':projectId'),
    handle: { title: 'analytics:title' },
    lazy: async () => ({ Component: (await import('./analytics-page.tsx')).AnalyticsPage }),
  },
]
