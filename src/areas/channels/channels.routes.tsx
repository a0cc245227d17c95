import type { LoaderFunctionArgs, RouteObject } from 'react-router'
import { paths } from '#src/lib/paths.ts'

/** Routes for channels: three tabs, the form for a new channel, and the channel page. */
export const routes: RouteObject[] = [
  {
    lazy: async () => ({ Component: (await import('./list/channels-page.tsx')).ChannelsPage }),
    children: [
      {
        path: paths.channels(':projectId'),
        handle: { title: 'channels:title' },
        lazy: async () => ({ Component: (await import('./list/list-part.tsx')).ListPart }),
      },
      {
        path: paths.channels(':projectId', 'accounts'),
        handle: { title: 'channels:tab.accounts' },
        lazy: async () => ({
          Component: (await import('./accounts/accounts-part.tsx')).AccountsPart,
        }),
      },
      {
        path: paths.channels(':projectId', 'shared'),
        handle: { title: 'channels:tab.shared' },
        lazy: async () => ({ Component: (await import('./sharing/shared-part.tsx')).SharedPart }),
      },
    ],
  },
  {
    path: paths.channels(':projectId', 'add'),
    handle: { title: 'channels:add.title' },
    lazy: async () => ({ Component: (await import('./add/add-page.tsx')).AddPage }),
  },
  {
    path: paths.channel(':projectId', ':channelId'),
    handle: { title: 'channels:one.title' },
    loader: checkNumber,
    lazy: async () => ({ Component: (await import('./detail/channel-page.tsx')).ChannelPage }),
  },
]

function checkNumber({ params: { channelId = '' } }: LoaderFunctionArgs) {
  if (!/^[1-9]\d{0,9}$/.test(channelId)) throw new Response(null, { status: 404 })
  return null
}
