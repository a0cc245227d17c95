// Renewals while plans do not apply.
import { expect, test } from 'vitest'
import type { BillingMode } from '#contract/entities/plan.ts'
import { transaction } from '#server/db/transaction.ts'
import { findDueTimes } from '#server/db/jobs.ts'
import { forgetInstallation } from '#server/domain/installation/installation.ts'
import { updateInstallation } from '#server/domain/installation/store.ts'
import { emptyBalance } from '#server/domain/money/balance.ts'
import { setRenewal, buy } from '#server/domain/tariffs/subscriptions-change.ts'
import { readState } from '#server/domain/tariffs/subscriptions.ts'
import { chargerDouble } from '#server/testing/pay/charger-double.ts'
import { fundedProject, tariffWorld } from '#server/testing/tariffs.ts'
import { renewalKind } from './store.ts'
import { runRenewals } from '#server/testing/pay/renewal-jobs.ts'

test('waits while plans are off, and continues when they apply again', async () => {
  const world = await tariffWorld('2026-03-01T00:00:00.000Z')
  const { db, clock } = world
  const projectId = await fundedProject(world, 'rub', { ...emptyBalance, payment: 80_000 })
  await buy(db, clock, { projectId, line: 'restream', planId: 2, period: 'month' })
  await transaction(db, (trx) => setRenewal(trx, clock, { projectId, line: 'restream', isOn: true }))
  const end = async () => (await readState(db, clock, projectId, 'restream')).slots.current.end ?? ''
  const first = await end()
  const run = () => runRenewals({ db, clock, charge: chargerDouble(world).charge, onEvent: () => {} })
  const setMode = async (billing: BillingMode) => {
    await transaction(db, (trx) => updateInstallation(trx, { billing }))
    forgetInstallation(db)
  }
  const before = (hours: number) => clock.set(new Date(Date.parse(first) - hours * 3_600_000))
  before(160)
  await run()
  before(50)
  await setMode('off')
  await run()
  const due = (await findDueTimes(db, [renewalKind.kind])).byKind.get(renewalKind.kind) ?? 0
  expect(Math.ceil(due / 1_000)).toBe(60)
  await setMode('plans')
  expect(await end()).toBe(first)
  before(47)
  await run()
  expect((await end()) > first).toBe(true)
  await world.close()
})
