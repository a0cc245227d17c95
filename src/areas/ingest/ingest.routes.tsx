import type { RouteObject } from 'react-router'
import { paths } from '#src/lib/paths.ts'

/** Routes for stream setup: publishing, pulling, servers and transcoders. */
export const routes: RouteObject[] = [
  {
    lazy: async () => ({ Component: (await import('./ingest-page.tsx')).IngestPage }),
    children: [
      {
        path: paths.ingest(':projectId'),
        handle: { title: 'ingest:title' },
        lazy: async () => ({ Component: (await import('./push-part.tsx')).PushPart }),
      },
      {
        path: paths.ingest(':projectId', 'pull'),
        handle: { title: 'ingest:tab.pull' },
        lazy: async () => ({ Component: (await import('./pull-part.tsx')).PullPart }),
      },
      {
        path: paths.ingest(':projectId', 'servers'),
        handle: { title: 'ingest:tab.servers' },
        lazy: async () => ({ Component: (await import('./servers-part.tsx')).ServersPart }),
      },
      {
        path: paths.ingest(':projectId', 'transcoders'),
        handle: { title: 'ingest:tab.transcoders' },
        lazy: async () => ({ Component: (await import('./transcoders-part.tsx')).TranscodersPart }),
      },
    ],
  },
]
