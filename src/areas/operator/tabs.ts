// Tabs of the operator's pages: one row for each. Texts: `operator:<key>.title`.
import type { ComponentType } from 'react'

export interface OperatorTab {
  readonly key: string
  /** Last URL segment; empty for the page itself. */
  readonly path: string
  readonly load: () => Promise<{ readonly Component: ComponentType }>
}

export const tabs: readonly OperatorTab[] = [
  {
    key: 'general',
    path: '',
    load: async () => ({ Component: (await import('./general-part.tsx')).GeneralPart }),
  },
]
