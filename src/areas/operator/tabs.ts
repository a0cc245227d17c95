// Tabs of the operator's pages: one row for each, prices and money together, what is read rarely last. Texts: `operator:<key>.title`.
import type { ComponentType } from 'react'

export interface OperatorTab {
  readonly key: string
  /** Last URL segment; empty for the page itself. */
  readonly path: string
  /** `prices`: hidden while everything is included. `payments`: hidden then, unless a project has paid at some time. */
  readonly needs?: 'prices' | 'payments'
  readonly load: () => Promise<{ readonly Component: ComponentType }>
}

export const tabs: readonly OperatorTab[] = [
  {
    key: 'overview',
    path: '',
    load: async () => ({ Component: (await import('./overview-part.tsx')).OverviewPart }),
  },
  {
    key: 'general',
    path: 'general',
    load: async () => ({ Component: (await import('./general-part.tsx')).GeneralPart }),
  },
  {
    key: 'customers',
    path: 'projects',
    load: async () => ({ Component: (await import('./customers-part.tsx')).CustomersPart }),
  },
  {
    key: 'people',
    path: 'people',
    load: async () => ({ Component: (await import('./people-part.tsx')).PeoplePart }),
  },
  {
    key: 'plans',
    path: 'plans',
    needs: 'prices',
    load: async () => ({ Component: (await import('./plans-part.tsx')).PlansPart }),
  },
  {
    key: 'sold',
    path: 'sold',
    needs: 'prices',
    load: async () => ({ Component: (await import('./sold-part.tsx')).SoldPart }),
  },
  {
    key: 'promos',
    path: 'promos',
    needs: 'prices',
    load: async () => ({ Component: (await import('./promos-part.tsx')).PromosPart }),
  },
  {
    key: 'payments',
    path: 'payments',
    needs: 'payments',
    load: async () => ({ Component: (await import('./payments-part.tsx')).PaymentsPart }),
  },
  {
    key: 'money',
    path: 'money',
    needs: 'payments',
    load: async () => ({ Component: (await import('./ledger-part.tsx')).LedgerPart }),
  },
  {
    key: 'payouts',
    path: 'payouts',
    needs: 'payments',
    load: async () => ({ Component: (await import('./payouts-part.tsx')).PayoutsPart }),
  },
  {
    key: 'papers',
    path: 'papers',
    needs: 'payments',
    load: async () => ({ Component: (await import('./papers-part.tsx')).PapersPart }),
  },
  {
    key: 'log',
    path: 'log',
    load: async () => ({ Component: (await import('./log-part.tsx')).LogPart }),
  },
  {
    key: 'servers',
    path: 'servers',
    load: async () => ({ Component: (await import('./servers-part.tsx')).ServersPart }),
  },
  {
    key: 'health',
    path: 'health',
    load: async () => ({ Component: (await import('./health-part.tsx')).HealthPart }),
  },
]
