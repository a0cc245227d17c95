import type { LoaderFunctionArgs, RouteObject } from 'react-router'
import { paths } from '#src/lib/paths.ts'

/** Routes for the broadcast history and a single broadcast. */
export const routes: RouteObject[] = [
  {
    path: paths.broadcasts(':projectId'),
    handle: { title: 'broadcasts:title' },
    lazy: async () => ({ Component: (await import('./broadcasts-page.tsx')).BroadcastsPage }),
  },
  {
    path: paths.broadcast(':projectId', ':broadcastId'),
    handle: { title: 'broadcasts:one.title' },
    loader: checkNumber,
    lazy: async () => ({ Component: (await import('./broadcast-page.tsx')).BroadcastPage }),
  },
]

function checkNumber({ params: { broadcastId = '' } }: LoaderFunctionArgs) {
  if (!/^[1-9]\d{0,9}$/.test(broadcastId)) throw new Response(null, { status: 404 })
  return null
}
