import type { RouteObject } from 'react-router'
import { paths } from '#src/lib/paths.ts'

export const routes: RouteObject[] = [
  {
    path: paths.help(),
    handle: { title: 'help:title' },
    lazy: async () => ({ Component: (await import('./help-page.tsx')).HelpPage }),
  },
]
