import type { RouteObject } from 'react-router'
import { paths } from '#src/lib/paths.ts'

// Only the reference loads the whole contract.
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
