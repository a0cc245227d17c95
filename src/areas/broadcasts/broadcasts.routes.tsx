import type { LoaderFunctionArgs, RouteObject } from 'react-router'
import { paths } from '#src/lib/paths.ts'

/** Routes for the broadcast history, the schedule, recordings and a single broadcast. */
export const routes: RouteObject[] = [
  {
    path: paths.broadcasts(':projectId'),
    lazy: async () => ({ Component: (await import('./broadcasts-page.tsx')).BroadcastsFrame }),
    children: [
      {
        index: true,
        handle: { title: 'broadcasts:title' },
        lazy: async () => ({ Component: (await import('./broadcasts-page.tsx')).BroadcastsPage }),
      },
      {
        path: 'schedule',
        handle: { title: 'broadcasts:schedule' },
        lazy: async () => ({ Component: (await import('./schedule-part.tsx')).SchedulePart }),
      },
      {
        path: 'recordings',
        handle: { title: 'broadcasts:recordings.title' },
        lazy: async () => ({ Component: (await import('./recordings-page.tsx')).RecordingsPage }),
      },
    ],
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
