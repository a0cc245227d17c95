import type { RouteObject } from 'react-router'
import { paths } from '#src/lib/paths.ts'

/** Route for the analytics of broadcasts. */
export const routes: RouteObject[] = [
  {
    path: paths.analytics(':projectId'),
    handle: { title: 'analytics:title' },
    lazy: async () => ({ Component: (await import('./analytics-page.tsx')).AnalyticsPage }),
  },
]
