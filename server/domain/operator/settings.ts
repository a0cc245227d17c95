// Settings of the installation, changed by operators.
import type { FactorDemand } from '#contract/entities/account.ts'
import type { ServerLimits } from '#contract/entities/operator.ts'
import type { BillingMode } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { everythingPlan } from '#server/db/first-plans.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { payProviders, sellsByProvider } from '#server/domain/billing/providers/registry.ts'
import { hasFactor } from '#server/domain/account/second-step.ts'
import { billingMode } from '#server/domain/installation/installation.ts'
import { logOperator } from '#server/domain/installation/operator-log.ts'
import {
  getInstallation,
  getBonuses,
  lockInstallation,
  updateBonuses,
  updateInstallation,
} from '#server/domain/installation/store.ts'
import { transcodersMax } from '#server/domain/ingest/capacity.ts'
import { storageGbOf } from '#server/domain/tariffs/catalog.ts'
import { getPlan, updateEverythingPlan } from '#server/domain/tariffs/store.ts'
import { hasPayments } from './payments-store.ts'
import { countProjects, countRunningPlans } from './store.ts'

type Part = Pick<Services, 'db' | 'clock' | 'caches'>

/** Returns the settings, and the projects, plans and payments that a switch would concern. */
export async function readSettings(services: Pick<Services, 'db' | 'clock' | 'config'>) {
  const { db, clock } = services
  const now = iso(clock.now())
  const { all, paid } = await countProjects(db, 'restream', now)
  const providers = payProviders(services).map(({ name }) => name)
  return {
    billing: await billingMode(db),
    bonus: await getBonuses(db),
    free: all - paid,
    paid,
    running: await countRunningPlans(db, now),
    hasPayments: await hasPayments(db),
    providers,
    factorDemand: (await getInstallation(db)).second_factor,
    limits: await readLimits(services, db),
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

/** Sets of whom a second factor is demanded. @throws RuleError `FactorMissing`: the operator would lock themselves out */
export const setFactorDemand = (services: Part, user: Pick<User, 'id'>, second_factor: FactorDemand, reason: string) =>
  changed(services, async (trx) => {
    if (second_factor !== 'none' && !(await hasFactor(trx, user.id))) throw new RuleError('FactorMissing')
    const before = { second_factor: (await lockInstallation(trx)).second_factor }
    await updateInstallation(trx, { second_factor })
    const change = { userId: user.id, action: 'second_factor', before, after: { second_factor }, reason }
    await logOperator(trx, services.clock, change)
  })

/** Returns what each project may use while plans do not apply. */
async function readLimits(services: Pick<Services, 'config'>, db: ReadDb) {
  // The cached plan may be older than the transaction of a change.
  const plan = await getPlan(db, everythingPlan.id)
  return {
    channels: plan.channel_max,
    storage: storageGbOf(plan, services.config),
    transcoders: await transcodersMax(services, db),
  }
}

/** Sets what each project may use while plans do not apply; the transcoders also with plans. */
export const setLimits = (
  services: Part & Pick<Services, 'config'>,
  user: Pick<User, 'id'>,
  limits: ServerLimits,
  reason: string,
) =>
  changed(services, async (trx) => {
    await lockInstallation(trx)
    const before = await readLimits(services, trx)
    const { channels, storage, transcoders } = limits
    await updateInstallation(trx, { transcoders_max: transcoders })
    // Marks every project, so that relays receive the limits, also where only the transcoders change.
    await updateEverythingPlan(trx, { channel_max: channels, video_storage: storage })
    const change = { userId: user.id, action: 'limits', before, after: limits, reason } as const
    await logOperator(trx, services.clock, change)
  })

/**
 * Sets the registration bonus, minor units.
 * @throws RuleError `BonusWithProvider` above zero while a payment provider is configured
 */
export const setBonus = (
  services: Part & Pick<Services, 'config'>,
  user: Pick<User, 'id'>,
  bonus: Readonly<Record<Currency, number>>,
  reason: string,
) =>
  changed(services, async (trx) => {
    if (Object.values(bonus).some((minor) => minor > 0) && sellsByProvider(services)) {
      throw new RuleError('BonusWithProvider')
    }
    await lockInstallation(trx)
    const before = await getBonuses(trx)
    await updateBonuses(trx, bonus)
    await logOperator(trx, services.clock, { userId: user.id, action: 'bonus', before, after: bonus, reason })
  })

/** Runs a change of the installation, and drops the caches of all replicas after its commit. */
export async function changed<T>({ db, caches }: Part, change: (trx: Trx) => Promise<T>): Promise<T> {
  const result = await transaction(db, change)
  caches.drop()
  return result
}
