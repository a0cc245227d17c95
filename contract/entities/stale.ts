// Data that several writes make stale.
import type { Stale } from '#contract/core/stale.gen.ts'

/** Data that shows money: balances, payments, prices with the balance applied. */
export const staleMoney: readonly Stale[] = [
  'billing',
  'tariffs',
  'projects.projects.info',
  'projects.projects.get',
  'projects.history',
  'account.profile',
]

/** Data that depends on the plans of a project; plans cost money. */
export const stalePlans: readonly Stale[] = [...staleMoney, 'ingest']
