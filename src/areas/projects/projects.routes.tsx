import type { RouteObject } from 'react-router'
import { paths } from '#src/lib/paths.ts'

export const routes: RouteObject[] = [
  {
    path: paths.project(':projectId'),
    lazy: async () => ({ Component: (await import('./project-page.tsx')).ProjectPage }),
    children: [
      {
        index: true,
        handle: { title: 'projects:title' },
        lazy: async () => ({ Component: (await import('./overview-part.tsx')).OverviewPart }),
      },
      {
        path: paths.project(':projectId', 'members'),
        handle: { title: 'projects:members.tab' },
        lazy: async () => ({ Component: (await import('./members-part.tsx')).MembersPart }),
      },
      {
        path: paths.project(':projectId', 'history'),
        handle: { title: 'projects:history.title' },
        lazy: async () => ({ Component: (await import('./history-part.tsx')).HistoryPart }),
      },
    ],
  },
]
