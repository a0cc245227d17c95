// Tabs of the Billing page: address, texts and content. A tab with `groups` is not served yet.
import type { ReactNode } from 'react'
import { paths } from '#src/lib/paths.ts'

type ProjectId = number | string

interface Tab {
  /** Key of its title in `billing:tab`. */
  readonly key: 'balance' | 'history' | 'cards' | 'payouts' | 'referrals'
  readonly to: (projectId: ProjectId) => string
  /** Loads the component of the tab. */
  readonly load?: () => Promise<{ readonly Component: () => ReactNode }>
  /** API groups that the tab waits for, `area.name`; texts in `billing:waiting`. */
  readonly groups?: readonly string[]
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
  { key: 'payouts', to: (projectId) => paths.billing(projectId, 'payouts'), groups: [] },
  { key: 'referrals', to: (projectId) => paths.billing(projectId, 'referrals'), groups: [] },
]
