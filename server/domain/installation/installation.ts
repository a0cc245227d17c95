// Use of plans by the installation, and the bonus of new projects.
import type { BillingMode } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import { getBonuses, getInstallation, hasPurchases } from './store.ts'

/**
 * Returns whether plans apply. Cached per database and process, because every query of a limit needs it; see
 * `forgetInstallation`. A transaction reads it anew. Without an answer: `plans` where a plan was ever bought, else `off`.
 */
export function billingMode(db: ReadDb): Promise<BillingMode> {
  const cached = modes.get(db)
  if (cached) return cached
  const read = readMode(db)
  modes.set(db, read)
  read.catch(() => modes.delete(db))
  return read
}

/** Refuses an operation that takes or gives money while everything is included. @throws RuleError `PaymentsOff` */
export async function refuseWhileOff(db: Db | Trx): Promise<void> {
  if ((await billingMode(db)) === 'off') throw new RuleError('PaymentsOff')
}
const modes = new WeakMap<ReadDb, Promise<BillingMode>>()

/** Drops the cached mode after a change. Each replica calls it. */
export const forgetInstallation = (db: Db | Trx): void => void modes.delete(db)

async function readMode(db: ReadDb): Promise<BillingMode> {
  const { billing } = await getInstallation(db)
  return billing ?? ((await hasPurchases(db)) ? 'plans' : 'off')
}

/** Returns the bonus of a new personal project, minor units. */
export async function registrationBonus(trx: Trx, currency: Currency): Promise<number> {
  return (await getBonuses(trx))[currency]
}
