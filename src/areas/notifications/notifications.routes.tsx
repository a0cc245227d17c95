import type { RouteObject } from 'react-router'
import { paths } from '#src/lib/paths.ts'

/** Notifications of the user: the list, and the settings of the project. */
export const routes: RouteObject[] = [
  {
    path: paths.notifications(':projectId'),
    lazy: async () => ({ Component: (await import('./notifications-page.tsx')).NotificationsPage }),
    children: [
      {
        index: true,
        handle: { title: 'notifications:title' },
        lazy: async () => ({ Component: (await import('./list-part.tsx')).ListPart }),
      },
      {
        path: paths.notifications(':projectId', 'settings'),
        handle: { title: 'notifications:settings.title' },
        lazy: async () => ({ Component: (await import('./settings-part.tsx')).SettingsPart }),
      },
      {
        path: paths.notifications(':projectId', 'webhooks'),
        handle: { title: 'notifications:webhooks.title' },
        lazy: async () => ({ Component: (await import('./webhooks-part.tsx')).WebhooksPart }),
      },
    ],
  },
]
