import type { RouteObject } from 'react-router'
import { requireSession } from '#src/api/require-session.ts'
import { paths } from '#src/lib/paths.ts'

/** The chat page of a project. */
export const routes: RouteObject[] = [
  {
    path: paths.chat(':projectId'),
    handle: { title: 'chat:title' },
    lazy: async () => ({ Component: (await import('./chat-page.tsx')).ChatPage }),
  },
]

/** Windows with a chat alone: for a member, and for the holder of a key. */
export const windowRoutes: RouteObject[] = [
  {
    path: paths.chatPopout(':projectId'),
    handle: { title: 'chat:title' },
    middleware: [requireSession()],
    loader: () => null,
    lazy: async () => ({ Component: (await import('./popout-page.tsx')).PopoutPage }),
  },
  {
    path: paths.chatDock(),
    handle: { title: 'chat:title' },
    lazy: async () => ({ Component: (await import('./dock-page.tsx')).DockPage }),
  },
]
