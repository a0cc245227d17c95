// Tabs of the Billing page: address, text and content.
import type { ReactNode } from 'react'
import { paths } from '#src/lib/paths.ts'

type ProjectId = number | string

interface Tab {
  /** Key of its title in `common:plansTab`. */
  readonly key: 'balance' | 'history' | 'cards' | 'payouts' | 'referrals'
  readonly to: (projectId: ProjectId) => string
  /** Loads the component of the tab. */
  readonly load: () => Promise<{ readonly Component: () => ReactNode }>
}

export const tabs: readonly Tab[] = [
  {
    key: 'balance',
    to: (projectId) => paths.billing(projectId),
    load: async () => ({ Component: (await import('./balance-part.tsx')).BalancePart }),
  },
  {
    key: 'history',
    to: (projectId) => paths.billing(projectId, 'history'),
    load: async () => ({ Component: (await import('./history-part.tsx')).HistoryPart }),
  },
  {
    key: 'cards',
    to: (projectId) => paths.billing(projectId, 'cards'),
    load: async () => ({ Component: (await import('./details-part.tsx')).DetailsPart }),
  },
  {
    key: 'payouts',
    to: (projectId) => paths.billing(projectId, 'payouts'),
    load: async () => ({ Component: (await import('./payouts-part.tsx')).PayoutsPart }),
  },
  {
    key: 'referrals',
    to: (projectId) => paths.billing(projectId, 'referrals'),
    load: async () => ({ Component: (await import('./referrals-part.tsx')).ReferralsPart }),
  },
]
