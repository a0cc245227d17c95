// Metrics of `/metrics`.
import { expect, test } from 'vitest'
import { reportNode } from '#server/domain/ingest/nodes.ts'
import { updateInstallation } from '#server/domain/installation/store.ts'
import { newChannel } from '#server/testing/channels.ts'
import { someNode } from '#server/testing/nodes.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { testApp, type World } from '#server/testing/test-app.ts'

/** Returns the series of the service and their values, by name with labels. */
async function read({ app }: World): Promise<Readonly<Record<string, number>>> {
  const { body } = await app.inject({ method: 'GET', url: '/metrics' })
  const lines = body.split('\n').filter((line) => line.startsWith('relaydeck_'))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

test('counts what is on air, nodes by state, and the ages of reports and backups', async () => {
  const world = await testApp()
  const ann = await world.user('Ann')
  expect(await read(world)).toMatchObject({
    relaydeck_ready: 1,
    relaydeck_bus_connected: 1,
    relaydeck_bus_lost_messages: 0,
    'relaydeck_broadcasts{status="active"}': 0,
    'relaydeck_nodes{state="accepting"}': 0,
  })
  expect(await read(world)).not.toHaveProperty('relaydeck_backup_time_seconds')

  const node = someNodeOf(world)
  await node.begin(ann.projectId)
  const [one, two] = [await newChannel(world, ann), await newChannel(world, ann, { name: 'Two', type: 'youtube' })]
  await node.channel(ann.projectId, one, 'live')
  await node.channel(ann.projectId, two, 'rejected', { reason: 'publish-rejected' })
  const time = world.clock.now().toISOString()
  await reportNode(world.services, { ...someNode, time })
  await reportNode(world.services, { ...someNode, node: 'fra-2', full: true, time })
  await updateInstallation(world.app.db, { date_backup: time })
  const now = await read(world)
  expect(now).toMatchObject({
    'relaydeck_broadcasts{status="active"}': 1,
    'relaydeck_broadcasts{status="lost"}': 0,
    'relaydeck_channels{state="live",reason=""}': 1,
    'relaydeck_channels{state="rejected",reason="publish-rejected"}': 1,
    'relaydeck_nodes{state="accepting"}': 1,
    'relaydeck_nodes{state="full"}': 1,
    'relaydeck_nodes{state="silent"}': 0,
    'relaydeck_node_report_age_seconds{node="fra-1"}': 0,
    'relaydeck_node_load_ratio{node="fra-1",of="cpu"}': 0.3,
    relaydeck_backup_time_seconds: Date.parse(time) / 1000,
  })
  expect(now).not.toHaveProperty('relaydeck_drill_time_seconds')
  expect(now['relaydeck_disk_free_bytes{of="both"}']).toBeGreaterThan(0)
  expect(now['relaydeck_disk_free_bytes{of="both"}']).toBeLessThan(now['relaydeck_disk_size_bytes{of="both"}'] ?? 0)
  expect(Math.abs(now['relaydeck_clock_offset_seconds'] ?? NaN)).toBeLessThan(1)

  world.clock.advance(91_000)
  const later = await read(world)
  expect(later['relaydeck_nodes{state="silent"}']).toBe(2)
  expect(later['relaydeck_node_report_age_seconds{node="fra-2"}']).toBe(91)
  world.clock.advance(600_000)
  const gone = await read(world)
  expect(gone['relaydeck_nodes{state="silent"}']).toBe(0)
  expect(gone).not.toHaveProperty('relaydeck_node_report_age_seconds{node="fra-2"}')
  expect(JSON.stringify(gone)).not.toContain('project')
  await world.close()
})

test('counts balances that differ from their entries, and payments that only one side has', async () => {
  const world = await testApp()
  expect(await read(world)).toMatchObject({ relaydeck_ledger_differences: 0 })
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
  expect(await read(world)).toMatchObject({ relaydeck_ledger_differences: 0 })
  world.clock.advance(3_600_000)
  expect(await read(world)).toMatchObject({
    relaydeck_ledger_differences: 1,
    'relaydeck_closing_receipts{state="refused"}': 0,
    'relaydeck_payment_mismatches{provider="stripe"}': 2,
  })
  await world.close()
})
