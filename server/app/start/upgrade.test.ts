// Upgrades data of release 0.1.0, as `server/testing/release-0.1.0/make.ts` made it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { CompiledQuery, type Kysely } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { moneyFlow } from '#contract/areas/billing/money-flow.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { readConfig } from '#server/app/settings.ts'
import { createApp } from '#server/app/create-app.ts'
import { movableClock } from '#server/core/clock.ts'
import { migrate, OlderSchemaError, schemaFloor } from '#server/db/migrate.ts'
import { up } from '#server/db/migrations/0001-base.ts'
import { type Database, openDatabase } from '#server/db/open.ts'
import { isPassword } from '#server/domain/account/passwords.ts'
import { emptyDatabase, emptyDatabaseUrl } from '#server/testing/databases.ts'
import { eventually } from '#server/testing/eventually.ts'
import { migrateInProcesses } from '#server/testing/migrate-in-processes.ts'
import { requestOf } from '#server/testing/request.ts'
import { testHosts } from '#server/testing/test-app.ts'

type Row = Readonly<Record<string, unknown>>

/** Changes of a table of 0.1.0 by later migrations. */
interface Change {
  /** Columns whose values are replaced or gone. */
  readonly columns?: readonly string[]
  /** Why the table or its rows go. */
  readonly gone?: string
  /** Where the data is now: tables, and columns of their rows. */
  readonly moved?: (row: Row) => readonly (readonly [table: string, row: Row])[]
  /** Added columns, with their value. */
  readonly added?: Readonly<Record<string, (row: Row) => unknown>>
}
const owner = (kind: string, key: unknown, holder: unknown, epoch: unknown, until: unknown) =>
  [['owners', { kind, key: String(key), holder, epoch, until }]] as const
const prices = (line: string, parts: Readonly<Record<string, string>>): Change => {
  const places = Object.entries(parts).flatMap(([part, prefix]) =>
    ['rub', 'usd'].map((currency) => ({ part, currency, column: `${prefix}_${currency}` })),
  )
  return {
    columns: places.map(({ column }) => column),
    moved: (row) =>
      places.flatMap(({ part, currency, column }) => {
        const minor = row[column]
        return minor === null ? [] : [['prices', { line, plan_id: row['id'], part, currency, minor }] as const]
      }),
  }
}
const restreamPrices = prices('restream', {
  base: 'price',
  channel_step: 'channel_step_price',
  bitrate_step: 'bitrate_step_price',
})
const changes: Readonly<Record<string, Change>> = {
  token_families: { added: { scopes: () => null, project_id: () => null } },
  air_leases: {
    gone: 'owners of all kinds are one table',
    moved: (row) => owner('air', row['project_id'], row['node'], row['epoch'], row['until']),
  },
  broadcasts: { columns: ['date_viewers'], added: { lost_epoch: () => null, away_ms: () => 0, play: () => null } },
  channels: { columns: ['name_folded'] },
  chat_heads: { columns: ['star_seq'], added: { star_rev: () => 0 } },
  chat_messages: { added: { rev: (row) => row['seq'] } },
  chat_readers: {
    columns: ['holder', 'epoch', 'until'],
    moved: (row) => owner('chat', row['source'], row['holder'], row['epoch'], row['until']),
  },
  closing_receipts: { columns: ['date_lease'] },
  installation: {
    columns: ['bonus_rub_minor', 'bonus_usd_minor'],
    moved: (row) =>
      ['rub', 'usd'].map((currency) => ['bonuses', { currency, minor: row[`bonus_${currency}_minor`] }] as const),
    added: {
      date_backup: () => null,
      sign_up: () => null,
      second_factor: () => 'none',
      transcoders_max: () => null,
      date_drill: () => null,
      date_mail: () => null,
      date_mail_failure: () => null,
      mail_failure: () => null,
      schema_floor: () => schemaFloor(),
      media_marker: () => null,
    },
  },
  notification_lanes: { columns: ['date_due', 'claim', 'date_claim'] },
  pay_providers: { columns: ['date_lease'] },
  paper_settings: {
    columns: ['kopecks_per_dollar'],
    moved: ({ kopecks_per_dollar: minor }) => [['rates', { from_currency: 'usd', to_currency: 'rub', minor }]],
  },
  payment_refunds: { columns: ['date_lease', 'tries'] },
  payments: { columns: ['date_lease'] },
  platform_accounts: { columns: ['date_lease'] },
  project_channels: {
    columns: ['active'],
    added: { tracks: () => null, healing: () => 0, silence: () => null, ladder: () => null },
  },
  promo_codes: {
    columns: ['amount_rub', 'amount_usd'],
    moved: (row) =>
      ['rub', 'usd'].flatMap((currency) => {
        const minor = row[`amount_${currency}`]
        return minor === null ? [] : [['promo_amounts', { promo_id: row['id'], currency, minor }] as const]
      }),
    added: { percent: () => null },
  },
  plan_discounts: {
    gone: 'a discount is a row for each period',
    moved: ({ line, ...row }) =>
      ['month', 'year'].map(
        (period) => ['period_discounts', { line, period, percent: row[`${period}_percent`] }] as const,
      ),
  },
  projects: { added: { date_suspend: () => null, suspend_reason: () => null, second_factor: () => 0 } },
  push_subscriptions: { gone: 'belong to a session, which 0.1.0 did not store: browsers subscribe anew' },
  recordings: { added: { title: () => null } },
  renewals: {
    columns: ['lease_until', 'told_minor', 'date_told'],
    added: { announced_minor: () => expect.anything(), date_announced: () => expect.anything() },
  },
  restream_plans: { ...restreamPrices, columns: ['change_subject', ...(restreamPrices.columns ?? [])] },
  storage_plans: prices('storage', { base: 'price' }),
  restreams: { added: { seen: () => null } },
  stream_keys: {
    added: {
      replaced_hash: () => null,
      hold: (row) => (Number(row['wait_minutes']) > 1 ? 1 : 0),
      lost_media_id: () => null,
      pause_media_id: () => null,
      quality: () => null,
    },
  },
  webhooks: { added: { family_id: () => null } },
  telegram_offsets: {
    columns: ['holder', 'until'],
    moved: (row) => owner('telegram', '', row['holder'], 1, row['until']),
  },
  tax_rates: { added: { reverse_charge: () => 0 } },
  transcoding_plans: prices('transcoding', { base: 'price' }),
  webhook_messages: { columns: ['claim', 'date_claim'] },
}

const isPostgres = Boolean(process.env['DATABASE_URL'])
const dialect = isPostgres ? 'postgres' : 'sqlite'
const fixture = (name: string) => readFileSync(new URL(`../../testing/release-0.1.0/${name}`, import.meta.url))
const made = JSON.parse(fixture(`${dialect}.json`).toString()) as Readonly<
  Record<'now' | 'email' | 'password' | 'refreshToken', string> & { project: number }
>

let folder: string
let url: string
let dropSchema: () => Promise<void>
let database: Database

const connect = () => openDatabase(isPostgres ? { url } : { file: join(folder, 'relaydeck.db') })

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'relaydeck-upgrade-'))
  ;({ url, drop: dropSchema } = await emptyDatabaseUrl())
  if (!isPostgres) writeFileSync(join(folder, 'relaydeck.db'), gunzipSync(fixture('sqlite.db.gz')))
  database = await connect()
  if (isPostgres) await run(database, gunzipSync(fixture('postgres.sql.gz')).toString())
})
afterEach(async () => {
  await database.close()
  await dropSchema()
  rmSync(folder, { recursive: true })
})

const run = ({ db }: Database, text: string) => db.executeQuery<Row>(CompiledQuery.raw(text))

/** Names of the tables, without those of the Migrator. */
async function tablesOf(of: Database): Promise<string[]> {
  const { rows } = await run(
    of,
    isPostgres
      ? 'select tablename as name from pg_tables where schemaname = current_schema() order by 1'
      : "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by 1",
  )
  return rows.map(({ name }) => String(name)).filter((name) => !name.startsWith('kysely_'))
}

/** All rows by table. */
async function dump(of: Database): Promise<Readonly<Record<string, readonly Row[]>>> {
  const tables: Record<string, readonly Row[]> = {}
  for (const name of await tablesOf(of)) tables[name] = (await run(of, `select * from "${name}"`)).rows
  return tables
}

/** Rows with some columns, in an order that does not depend on the database. */
const projected = (rows: readonly Row[], columns: readonly string[]) =>
  rows.map((row) => JSON.stringify(columns.map((name) => row[name]))).toSorted()

async function expectKept(before: Readonly<Record<string, readonly Row[]>>): Promise<void> {
  const after = await dump(database)
  for (const [table, rows] of Object.entries(before)) {
    const { columns: replaced = [], gone, moved, added = {} } = changes[table] ?? {}
    for (const [to, row] of moved ? rows.flatMap(moved) : []) expect(after[to]).toContainEqual(row)
    if (gone !== undefined) continue
    const known = Object.keys(rows[0] ?? {})
    const kept = known.filter((name) => !replaced.includes(name))
    expect([table, projected(after[table] ?? [], kept)]).toEqual([table, projected(rows, kept)])
    for (const row of after[table] ?? []) {
      expect([table, kept.filter((name) => !(name in row))]).toEqual([table, []])
      const fresh = Object.keys(row).filter((name) => rows[0] && !known.includes(name))
      const values = Object.entries(added).map(([name, valueOf]) => [name, valueOf(row)])
      expect([table, fresh.map((name) => [name, row[name]])]).toEqual([table, values])
    }
  }
}

const recordsOf = async (of: Database) =>
  (await run(of, 'select name from kysely_migration order by name')).rows.map(({ name }) => name)

test('the data of 0.1.0 has rows in every table', async () => {
  const tables = await dump(database)
  expect(Object.keys(tables).filter((name) => tables[name]?.length === 0)).toEqual(['write_probes'])
})

test('keeps every row of 0.1.0 in one start', async () => {
  const before = await dump(database)
  await migrate(database)
  await expectKept(before)
  expect(await migrate(database)).toEqual([])
})

test('keeps the sum of all prices of 0.1.0', async () => {
  const columns = Object.entries(changes).flatMap(([table, { columns: own = [] }]) =>
    own.filter((name) => name.includes('price_')).map((name) => `select sum(${name}) as minor from ${table}`),
  )
  const sumOf = async (text: string) =>
    Number((await run(database, `select sum(minor) as minor from ${text}`)).rows[0]?.['minor'])
  const before = await sumOf(`(${columns.join(' union all ')}) as columns`)
  await migrate(database)
  expect([columns.length, await sumOf('prices')]).toEqual([10, before])
})

test('the base makes the tables, indexes and first rows of 0.1.0', async () => {
  const empty = await emptyDatabase()
  await up(empty.database.db as unknown as Kysely<unknown>, dialect)
  expect(await schemaOf(empty.database)).toEqual(await schemaOf(database))
  const release = await dump(database)
  for (const [table, rows] of Object.entries(await dump(empty.database))) {
    const of = release[table] ?? []
    // The scenes of the data set the registration bonus and the check of the secret.
    if (table !== 'installation') expect([table, ...of]).toEqual(expect.arrayContaining([table, ...rows]))
  }
  await empty.database.close()
  await empty.drop()
})

/** Definitions of all tables and indexes. */
async function schemaOf(of: Database): Promise<string[]> {
  const { rows } = await run(
    of,
    isPostgres
      ? `select table_name || ' ' || json_build_array(column_name, ordinal_position, data_type, character_maximum_length,
           is_nullable, column_default, identity_generation) as text
         from information_schema.columns where table_schema = current_schema()
         union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
         where connamespace = current_schema()::regnamespace and contype <> 'n'
         union all select tablename || ' ' || replace(indexdef, current_schema() || '.', '') from pg_indexes
         where schemaname = current_schema()`
      : `select tbl_name || ' ' || sql as text from sqlite_master where sql is not null and name not like 'sqlite_%'`,
  )
  const texts = rows.map(({ text }) =>
    String(text)
      .replaceAll(/"|\s+$/g, '')
      .replaceAll(/\s+/g, ' ')
      .toLowerCase(),
  )
  // 0.1.0 made the table `chat_keys` beside an older one, so that PostgreSQL numbered the names of its constraints.
  const named = texts.map((text) => text.replaceAll(/\b(chat_keys_(pkey|project_id_fkey))1\b/g, '$1'))
  return named.filter((text) => !text.startsWith('kysely_')).toSorted()
}

test('starts with the accounts, sessions, channels, plans and money of 0.1.0', async () => {
  const { now, email, password, refreshToken, project: project_id } = made
  const config = readConfig({
    ...testHosts,
    SECRET: 'a secret of release 0.1.0 for tests',
    BILLING: 'plans',
    PORT: '0',
    RELAY: 'off',
    NOTIFICATIONS: 'off',
    LOG_LEVEL: 'fatal',
    DATA_DIR: folder,
  })
  const app = await createApp({ config, clock: movableClock(new Date(now)), db: await connect() })
  try {
    const refreshed = await app.inject(requestOf(auth.refreshAccess, { app: 'site', refresh: refreshToken }))
    expect(refreshed.statusCode).toBe(200)
    const as = refreshed.json<{ accessToken: string }>()
    const read = async (op: Parameters<typeof requestOf>[0]) =>
      (await app.inject(requestOf(op, { project_id }, { as }))).json<{ results: Row[] }>().results
    expect(await read(channels.search)).toMatchObject([{ name: '\uFDFA Show' }])
    expect(await read(moneyFlow.list)).toMatchObject([{ amount: 18_000 }])
    const slots = await app.inject(requestOf(restream.slots, { project_id }, { as }))
    expect(slots.json()).toMatchObject({ current: { id: 1 } })
    const user = app.db.selectFrom('users').select('password_hash').where('email', '=', email)
    expect(await isPassword(password, (await user.executeTakeFirstOrThrow()).password_hash)).toBe(true)
  } finally {
    await app.close()
  }
})

test('replicas that start at the same time migrate once', async () => {
  const before = await dump(database)
  const ran = (await (isPostgres ? migrateThrice() : migrateInProcesses(join(folder, 'relaydeck.db')))).flat()
  expect(ran[0]).toBe('0041-jobs')
  expect(ran).toEqual([...new Set(ran)].toSorted())
  await expectKept(before)
})

async function migrateThrice(): Promise<string[][]> {
  const databases = await Promise.all([connect(), connect(), connect()])
  const ran = await Promise.all(databases.map((one) => migrate(one)))
  for (const one of databases) await one.close()
  return ran
}

test.each([
  ['some of the migrations of 0.1.0', "delete from kysely_migration where name = '0040-secret-check'"],
  ['the records of a release before Kysely', 'drop table kysely_migration'],
])('refuses a database with %s, and leaves it as it is', async (_what, before) => {
  await run(database, before)
  const rows = await dump(database)
  await expect(migrate(database)).rejects.toThrow(OlderSchemaError)
  expect(await dump(database)).toEqual(rows)
})

/** Holds a migration in the statement that writes the record of the base, after those of 0.1.0 were deleted. */
const hold = isPostgres
  ? [
      `create function hold() returns trigger language plpgsql as $$ begin
         if new.name = '0001-base' then perform pg_sleep(3); end if; return new; end $$`,
      'create trigger hold before insert on kysely_migration for each row execute function hold()',
    ]
  : [
      `create trigger hold before insert on kysely_migration when new.name = '0001-base' begin
         select count(*) from (with recursive n(i) as (select 1 union all select i + 1 from n) select i from n); end`,
    ]
const isHeld = isPostgres
  ? () =>
      run(database, "select 1 from pg_locks where locktype = 'advisory' and objid = 7352117").then(
        ({ rows }) => rows.length > 0,
      )
  : () =>
      run(database, 'begin immediate').then(
        () => run(database, 'rollback').then(() => false),
        () => true,
      )

const program = `
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
await migrate(await openDatabase(JSON.parse(process.argv[1])))`

test('a start that is killed in the middle of the adoption is repeated without loss', async () => {
  const [before, records] = [await dump(database), await recordsOf(database)]
  for (const statement of hold) await run(database, statement)
  const source = isPostgres ? { url } : { file: join(folder, 'relaydeck.db') }
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', program, JSON.stringify(source)])
  await eventually(isHeld)
  child.kill('SIGKILL')
  await once(child, 'exit')
  // The lock of the killed process ends with its transaction.
  await eventually(async () => !(await isHeld()))
  expect(await recordsOf(database)).toEqual(records)
  await run(database, isPostgres ? 'drop function hold cascade' : 'drop trigger hold')
  expect(await migrate(database)).toContain('0041-jobs')
  await expectKept(before)
})
