// Reconciliation: hourly, every payment that a provider has seen lately goes through the same step as a webhook message.
import { hourMs, iso, later } from '#server/core/clock.ts'
import type { JobKind } from '#server/core/jobs.ts'
import { ProviderRefusedError, ProviderUnavailableError } from '#server/core/provider-http.ts'
import { transaction } from '#server/db/transaction.ts'
import { findReconciled, listCredited, updateReconciled, findPaymentByRefs } from './store.ts'
import type { Listed, PayProvider, PayServices } from '#server/domain/billing/providers/provider.ts'
import { findProvider, payProviders } from '#server/domain/billing/providers/registry.ts'
import { settle } from './settle.ts'

/** Payments that may fail in one reconciliation. One more, and the provider is taken for unavailable. */
const failedMax = 20
/** Overlap with the last one, because providers list late, and so that payments that failed are read again. */
const overlapMs = 48 * hourMs

/** Reconciles a provider each hour, and five minutes after a failure. The key is the provider. */
export const reconcileJob: JobKind<PayServices> = {
  kind: 'billing.reconcile',
  leaseMs: hourMs / 2,
  atOnce: 1,
  backoff: { ladderMs: [300_000] },
  parkAfter: 'never',
  missing: async (_, services) => payProviders(services).map(({ name }) => name),
  async run(services, job) {
    const { db, clock, log } = services
    const provider = findProvider(services, job.key)
    if (!provider) return 'done'
    const { name } = provider
    const now = clock.now()
    const last = await findReconciled(db, name)
    const mismatches = await compare(services, provider, later(last === null ? now : new Date(last), -overlapMs))
    if (mismatches > 0) log.error({ provider: name, mismatches }, 'Payments differ from those of the provider')
    const outcome = { againMs: hourMs }
    await transaction(db, async (trx) => {
      await updateReconciled(trx, name, { now: iso(now), mismatches })
      await job.finish(trx, outcome)
    })
    return outcome
  },
}

/**
 * Settles what the provider lists. @returns the number of payments that only one side has, or that could not be compared
 * @throws the last failure when more than 20 payments failed
 */
async function compare(services: PayServices, provider: PayProvider, since: Date): Promise<number> {
  const { db, clock, log } = services
  // Payments that are credited meanwhile may miss in the list of the provider.
  const { listedAfterMs } = provider
  const begun = iso(later(clock.now(), -(listedAfterMs ?? 0)))
  const seenIds = new Set<number>()
  let theirs = 0
  let failed = 0
  for await (const listed of provider.since(since)) {
    try {
      const id = await settleListed(services, provider, listed)
      if (id === 'unknown') theirs++
      else if (id !== null) seenIds.add(id)
    } catch (error) {
      if (++failed > failedMax) throw error
      const expected = error instanceof ProviderUnavailableError || error instanceof ProviderRefusedError
      const about = { provider: provider.name, failure: (error as Error).name, ...(expected ? {} : { err: error }) }
      log[expected ? 'warn' : 'error'](about, 'A listed payment could not be compared')
    }
  }
  if (listedAfterMs === null) return theirs + failed
  const ours = await listCredited(db, provider.name, iso(since), begun)
  // A payment that failed is missing among those that were seen.
  const missing = ours.filter(({ id }) => !seenIds.has(id)).length
  return theirs + Math.max(missing, failed)
}

/** Settles a listed payment. @returns its id; `unknown` for a paid one that is missing here; null for any other */
async function settleListed(
  services: PayServices,
  provider: PayProvider,
  listed: Listed,
): Promise<number | 'unknown' | null> {
  const { creditOf } = listed
  const known = creditOf === undefined ? undefined : await findPaymentByRefs(services.db, provider.name, [creditOf])
  if (known && known.credited_minor > 0) return known.id
  const seen = await listed()
  if (seen === null || seen.uuid === null) return null
  const payment = await findPaymentByRefs(services.db, provider.name, [seen.uuid])
  if (!payment) return seen.status === 'success' ? 'unknown' : null
  // Listed under another id than its own, a pending payment may check failed: its page still accepts another card.
  const { pay_id: own } = payment
  const isTry = payment.status === 'pending' && own !== null && own !== seen.payId
  const report = isTry ? await provider.check(own) : seen
  await settle(services, payment.id, report)
  if (report.missed) throw report.missed
  return payment.id
}
