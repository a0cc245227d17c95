import type { RouteObject } from 'react-router'
import { paths } from '#src/lib/paths.ts'
import { tabs } from './tabs.ts'

export const routes: RouteObject[] = [
  {
    path: paths.operator(),
    lazy: async () => ({ Component: (await import('./operator-page.tsx')).OperatorPage }),
    children: [
      ...tabs.map(({ key, path, load }) => ({
        ...(path === '' ? { index: true } : { path: paths.operator(path) }),
        handle: { title: `operator:${key}.title` },
        lazy: load,
      })),
      {
        path: `${paths.operator('projects')}/:customerId`,
        handle: { title: 'operator:customers.title' },
        lazy: async () => ({ Component: (await import('./customer-part.tsx')).CustomerPart }),
      },
    ],
  },
]
