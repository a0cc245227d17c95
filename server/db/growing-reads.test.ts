// Reads of tables that grow with the installation use an index: plans of the statements that stores send, over filled tables.
import { CompiledQuery, type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listEventsSince } from '#server/domain/broadcasts/events-store.ts'
import { listEndable } from '#server/domain/broadcasts/live-targets-store.ts'
import { listBroadcasts, listCounted } from '#server/domain/broadcasts/store.ts'
import { listAirWatches } from '#server/domain/chat/readers-store.ts'
import { listLanesToSend } from '#server/domain/notifications/deliveries-store.ts'
import { findDueMessage } from '#server/domain/notifications/webhooks-store.ts'
import { listNotifications } from '#server/domain/notifications/store.ts'
import { countCustomers, listCustomers } from '#server/domain/operator/store.ts'
import { countPayments, findPayments } from '#server/domain/operator/payments-store.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { isSqlite } from './fragments.ts'
import type { Db } from './open.ts'

let world: World
let ann: Person
/** The only broadcast on air, with the most events. */
let onAir = 0
const rowsMade = 4000
const date = '2026-01-01T00:00:00.000Z'
const page = { limit: 20, offset: 0 }

beforeAll(async () => {
  world = await testApp()
  ann = await world.user()
  const { db } = world.app
  const numbers = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(rowsMade)})`
  const fill = (into: string, columns: string, values: string) =>
    sql`insert into ${sql.raw(`${into} (${columns})`)} ${numbers} select ${sql.raw(values)} from n`.execute(db)
  const [user, project] = [ann.id, ann.projectId]
  await fill(
    'projects',
    'external_id, type, name, fename, currency, country_id, date_create',
    `'p' || i, 0, 'Project ' || i, 'project', 'usd', 0, '${date}'`,
  )
  await fill(
    'users',
    'external_id, email, first_name, last_name, language, currency, country_id, ref_id, date_create',
    `'u' || i, 'ann-' || i || '@example.com', 'Ann', 'Smith', 'en', 'usd', 0, 'r' || i, '${date}'`,
  )
  await fill(
    'project_members',
    'project_id, user_id, access_type, date_create',
    `(select min(id) from projects) + i, (select min(id) from users) + i, 2, '${date}'`,
  )
  await fill(
    'broadcasts',
    'project_id, node, status, encoder, address, reconnects, date_create, date_end',
    `${project}, 'n', 'done', '', '', 0, '${date}', '${date}'`,
  )
  await sql`update broadcasts set project_id = ${project} + id % 500`.execute(db)
  const newest = await sql<{
    id: number
  }>`update broadcasts set date_end = null, status = 'active', project_id = ${project}
    where id = (select max(id) from broadcasts) returning id`.execute(db)
  onAir = newest.rows[0]?.id ?? 0
  const broadcast = `${onAir} - i + 1`
  await fill(
    'restreams',
    'broadcast_id, channel_id, name, type, report, date_create',
    `${broadcast}, 1, '', 'youtube', '{}', '${date}'`,
  )
  await fill('broadcast_targets', 'broadcast_id, channel_id, state, attempt', `${broadcast}, 1, 'ended', 1`)
  for (const about of [broadcast, String(onAir)])
    await fill('broadcast_events', 'broadcast_id, level, kind, date_create', `${about}, 'info', 'lost', '${date}'`)
  await fill(
    'notifications',
    'user_id, project_id, kind, category, params, fact, in_cabinet, date_create, date_show',
    `${user}, ${project} + i % 500, 'k', 'c', '{}', 'f' || i, 1, '${date}', '${date}'`,
  )
  await fill(
    'notification_deliveries',
    'notification_id, lane_id, channel, state, date_due',
    `(select min(id) from notifications) + i - 1, i, 'email', 'sent', '${date}'`,
  )
  await fill('webhooks', 'project_id, url, sealed, is_on, date_create', `${project}, '', '', 1, '${date}'`)
  await fill(
    'webhook_messages',
    'webhook_id, message_id, kind, fact, body, state, date_due, date_create',
    `(select min(id) from webhooks) + i % 20, 'm' || i, 'k', 'f' || i, '', 'sent', '${date}', '${date}'`,
  )
  await fill(
    'payments',
    'uuid, project_id, provider, pay_system_id, currency, amount_minor, type, status, date_create',
    `'u' || i, ${project} + i, 'stripe', 1, 'usd', 100, 'topup', 'success', '${date}'`,
  )
  if (!isSqlite(db)) await sql`analyze`.execute(db)
}, 60_000)
afterAll(() => world.close())

/** Runs a read. @returns the plans of its statements, one text each */
async function plansOf(read: (db: Db) => Promise<unknown>): Promise<string[]> {
  const { db } = world.app
  const nodes: RootOperationNode[] = []
  const record: KyselyPlugin = {
    transformQuery: ({ node }) => (nodes.push(node), node),
    transformResult: async ({ result }) => result,
  }
  await read(db.withPlugin(record))
  const explain = isSqlite(db) ? 'explain query plan ' : 'explain '
  const plans = nodes.map(async (node) => {
    const { sql: text, parameters } = db.getExecutor().compileQuery(node, { queryId: 'plan' })
    const { rows } = await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(explain + text, [...parameters]))
    return rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n')
  })
  return Promise.all(plans)
}

/** A whole table is read. SQLite adds the index to a `SCAN` that walks one. */
const wholeTable =
  /SCAN (?!names$|owners$)\w+$|Seq Scan on (projects|users|project_members|broadcasts|broadcast_events|broadcast_targets|restreams|notifications|notification_deliveries|webhook_messages|payments)/m

const overdue = date

const reads: readonly [string, (db: Db) => Promise<unknown>, RegExp][] = [
  [
    'broadcasts by platform',
    (db) => listBroadcasts(db, ann.projectId, { ...page, order: 'desc', platform: 'vk' }),
    /broadcasts_project/,
  ],
  ['broadcasts on air for viewers', (db) => listCounted(db), /broadcasts_(on_air|end)/],
  ['broadcasts on air for chat', (db) => listAirWatches(db, '2026-02-01'), /broadcasts_end/],
  ['broadcasts to end at platforms', (db) => listEndable(db), /broadcast_targets_ready/],
  ['new and repeated events', (db) => listEventsSince(db, [onAir], 1_000_000), /broadcast_events_repeated/],
  [
    'notifications of a project',
    (db) => listNotifications(db, { userId: ann.id, projectId: ann.projectId, now: '2026-02-01' }, page),
    /notifications_project_user/,
  ],
  ['lanes to send', (db) => listLanesToSend(db, 'email'), /notification_deliveries_open/],
  [
    'the next message of a webhook',
    (db) => findDueMessage(db, 1, { now: date, heard: ['broadcast_started'] }),
    /webhook_messages_next/,
  ],
  [
    'projects by their words',
    (db) => listCustomers(db, { query: 'nothing ann', hasDebt: false }, page),
    /project_words/,
  ],
  ['owners by their words', (db) => countCustomers(db, { query: 'nothing ann', hasDebt: false }), /user_words/],
  ['payments by status', (db) => findPayments(db, { status: 'error', overdue }, page), /payments_status/],
  ['payments by provider', (db) => findPayments(db, { provider: 'paypal', overdue }, page), /payments_provider/],
  ['payments to review', (db) => findPayments(db, { status: 'review', overdue }, page), /payments_review/],
  [
    'invoices to confirm',
    (db) => countPayments(db, { status: 'transfer', overdue }),
    /payments_(status|provider)|autoindex_payments/,
  ],
]

test.each(reads)('reads %s by an index', async (_, read, index) => {
  const plans = await plansOf(read)
  expect(plans).not.toEqual([])
  for (const plan of plans) {
    expect(plan).toMatch(index)
    expect(plan).not.toMatch(wholeTable)
  }
})
