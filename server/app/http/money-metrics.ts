// Metrics of the money: differences of the ledger and of payments from their providers, and closing receipts (54-FZ).
import { Gauge, type Registry } from 'prom-client'
import type { Services } from '#server/core/context.ts'
import { listProviderStates } from '#server/domain/billing/payments/store.ts'
import { countOpenReceipts, countRefusedReceipts } from '#server/domain/billing/receipts/store.ts'
import { getLedgerCheck, type LedgerCheck } from '#server/domain/operator/ledger-check-store.ts'

/** Age at which the check of the ledger runs again: it reads the whole ledger. */
const checkEveryMs = 3_600_000

/** Adds the metrics `ledger_differences`, `payment_mismatches` and `closing_receipts`. */
export function observeMoney(registry: Registry, { db, clock }: Pick<Services, 'db' | 'clock'>): void {
  let last: { readonly at: number; readonly check: LedgerCheck } | null = null
  const differences: Gauge = new Gauge({
    name: 'ledger_differences',
    help: 'Transactions that do not sum to zero and balances that differ from their entries, at most 40; checked hourly',
    registers: [registry],
    async collect() {
      const at = clock.now().getTime()
      if (last === null || at - last.at >= checkEveryMs) last = { at, check: await getLedgerCheck(db) }
      differences.set(last.check.unbalanced.length + last.check.differing.length)
    },
  })
  const mismatches: Gauge<'provider'> = new Gauge({
    name: 'payment_mismatches',
    help: 'Payments that only one side has, by the last reconciliation',
    labelNames: ['provider'],
    registers: [registry],
    async collect() {
      for (const row of await listProviderStates(db)) mismatches.set({ provider: row.provider }, row.mismatches)
    },
  })
  const receipts: Gauge<'state'> = new Gauge({
    name: 'closing_receipts',
    help: 'Closing receipts that are not registered yet, and refused ones that wait for the operator',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      receipts.set({ state: 'open' }, await countOpenReceipts(db))
      receipts.set({ state: 'refused' }, await countRefusedReceipts(db))
    },
  })
}
