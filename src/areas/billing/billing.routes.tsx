import type { RouteObject } from 'react-router'
import { paths } from '#src/lib/paths.ts'
import { tabs } from './tabs.ts'

/** The Billing page with one child route for each tab. */
export const routes: RouteObject[] = [
  {
    path: paths.billing(':projectId'),
    lazy: async () => ({ Component: (await import('./billing-page.tsx')).BillingPage }),
    children: [
      ...tabs.map((tab) => ({
        path: tab.to(':projectId'),
        handle: { title: `common:plansTab.${tab.key}` },
        lazy: tab.load,
      })),
      {
        path: paths.payment(':projectId', ':paymentId'),
        handle: { title: 'billing:payment' },
        lazy: async () => ({ Component: (await import('./payment-part.tsx')).PaymentPart }),
      },
    ],
  },
]
