import type { RouteObject } from 'react-router'
import { paths } from '#src/lib/paths.ts'

// Each page brings the whole contract with it, and nothing else of the dashboard does.
export const routes: RouteObject[] = [
  {
    path: paths.reference(),
    handle: { title: 'reference:title' },
    lazy: async () => ({ Component: (await import('./reference-page.tsx')).ReferencePage }),
  },
  {
    path: paths.referenceGroup(':group'),
    handle: { title: 'reference:group.title' },
    lazy: async () => ({ Component: (await import('./group-page.tsx')).GroupPage }),
  },
]
