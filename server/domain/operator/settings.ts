// Settings of the installation, changed by operators.
import type { BillingMode } from '#contract/entities/plan.ts'
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { payProviders, sellsByProvider } from '#server/domain/billing/providers/registry.ts'
import { billingMode } from '#server/domain/installation/installation.ts'
import { logOperator } from '#server/domain/installation/operator-log.ts'
import {
  getInstallation,
  type InstallationRow,
  lockInstallation,
  updateInstallation,
} from '#server/domain/installation/store.ts'
import { hasPayments } from './payments-store.ts'
import { countProjects, countRunningPlans } from './store.ts'

type Part = Pick<Services, 'db' | 'clock' | 'caches'>

/** Returns the settings, and the projects, plans and payments that a switch would concern. */
export async function readSettings(services: Pick<Services, 'db' | 'clock' | 'config'>) {
  const { db, clock } = services
  const row = await getInstallation(db)
  const now = iso(clock.now())
  const { all, paid } = await countProjects(db, 'restream', now)
  const providers = payProviders(services).map(({ name }) => name)
  return {
    billing: await billingMode(db),
    bonus: bonusOf(row),
    free: all - paid,
    paid,
    running: await countRunningPlans(db, now),
    hasPayments: await hasPayments(db),
    providers,
  }
}

/** Switches plans on or off for all projects. Bought plans stay stored, and their time passes. */
export const setBilling = (services: Part, user: Pick<User, 'id'>, billing: BillingMode, reason: string) =>
  changed(services, async (trx) => {
    await lockInstallation(trx)
    const before = { billing: await billingMode(trx) }
    await updateInstallation(trx, { billing })
    await logOperator(trx, services.clock, { userId: user.id, action: 'billing', before, after: { billing }, reason })
  })

/**
 * Sets the registration bonus, minor units.
 * @throws RuleError `BonusWithProvider` above zero while a payment provider is configured
 */
export const setBonus = (
  services: Part & Pick<Services, 'config'>,
  user: Pick<User, 'id'>,
  bonus: { readonly rub: number; readonly usd: number },
  reason: string,
) =>
  changed(services, async (trx) => {
    if ((bonus.rub > 0 || bonus.usd > 0) && sellsByProvider(services)) {
      throw new RuleError('BonusWithProvider')
    }
    const before = bonusOf(await lockInstallation(trx))
    await updateInstallation(trx, { bonus_rub_minor: bonus.rub, bonus_usd_minor: bonus.usd })
    await logOperator(trx, services.clock, { userId: user.id, action: 'bonus', before, after: bonus, reason })
  })

/** Runs a change of the installation, and drops the caches of all replicas after its commit. */
export async function changed<T>({ db, caches }: Part, change: (trx: Trx) => Promise<T>): Promise<T> {
  const result = await transaction(db, change)
  caches.drop()
  return result
}

const bonusOf = ({ bonus_rub_minor: rub, bonus_usd_minor: usd }: InstallationRow) => ({ rub, usd })
