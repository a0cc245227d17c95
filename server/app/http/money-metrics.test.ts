// Metrics of the money.
import { expect, test } from 'vitest'
import { testApp } from '#server/testing/test-app.ts'

test('counts balances that differ from their entries, and payments that only one side has', async () => {
  const world = await testApp()
  const read = async () => (await world.app.inject({ method: 'GET', url: '/metrics' })).body
  expect(await read()).toContain('ledger_differences 0')
  const { projectId: project_id } = await world.user('Ann')
  const { db } = world.app
  const wallet = { project_id, bonus_minor: 0, payment_minor: 5, profit_minor: 0 }
  await db
    .insertInto('wallets')
    .values(wallet)
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ payment_minor: 5 }))
    .execute()
  const state = { provider: 'stripe', date_event: null, date_reconciled: null, mismatches: 2 }
  await db.insertInto('pay_providers').values(state).execute()
  expect(await read()).toContain('ledger_differences 0')
  world.clock.advance(3_600_000)
  const text = await read()
  expect(text).toContain('ledger_differences 1')
  expect(text).toContain('closing_receipts{state="refused"} 0')
  expect(text).toContain('payment_mismatches{provider="stripe"} 2')
  await world.close()
})
