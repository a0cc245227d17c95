// Migrates a database with Kysely's Migrator: in one transaction, by one replica at a time.
import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration'
import type { Dialect } from './dialect.ts'
import { migrations as generated } from './migrations/all.gen.ts'
import type { Database } from './open.ts'

/**
 * Migrations by name. The Migrator runs them in the order of the names; a released name never changes. Each uses the tables of
 * its time, so they share no type of the database.
 */
const migrations: Readonly<Record<string, (db: never, dialect: Dialect) => Promise<void>>> = generated

/** Migrations of release 0.1.0 (commit 0cbdb713). `0001-base` makes the same tables as all of them together. */
const squashed: ReadonlySet<string> = new Set(
  `
  0001-accounts 0002-projects 0003-ledger 0004-tariffs 0005-channels 0006-platform-accounts 0007-channel-invites
  0008-history 0008-team 0009-identities 0010-ingest 0011-broadcasts 0012-broadcast-events 0013-transcoders
  0014-recordings 0015-recording-removal 0016-stopped-broadcasts 0017-air-leases 0018-repeated-events
  0019-custom-channels 0019-handed-over-sessions 0020-write-probes 0021-channel-tests 0022-kysely-migrator
  0023-installation 0024-plan-lines 0025-payments 0026-promos-payouts 0027-papers-renewals 0028-ledger-index
  0029-storage-notices 0030-chat 0031-account-scopes 0032-chat-inbox 0033-notifications 0034-webhooks
  0035-money-indexes 0036-chat-star 0037-plan-projects 0038-chat-star-seq 0039-advances 0040-secret-check
  `
    .trim()
    .split(/\s+/),
)

/**
 * Migrations that replace or remove what releases before them use. All others only add: a release runs on a newer schema
 * when it knows the newest of these.
 */
const raising = ['0078-schema-floor'] as const

/** Returns the oldest migration that a release must know to run on the schema of this one. */
export const schemaFloor = (): string => raising.at(-1) ?? ''

/** Returns the newest migration of this release. */
export const newestMigration = (): string => Object.keys(migrations).toSorted().at(-1) ?? ''

/** The database was written by a newer release. This release could destroy data that it does not know. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError'
  constructor(names: readonly string[]) {
    super(
      `The database belongs to a newer release (it has ${names.join(', ')}). Install that release, or restore a backup.`,
    )
  }
}

/** The database was written by a release before 0.1.0. This release has no migrations from there. */
export class OlderSchemaError extends Error {
  override readonly name = 'OlderSchemaError'
  constructor() {
    super('The database belongs to a release before 0.1.0. Start commit 0cbdb713 on it once, then this release.')
  }
}

/** Returns whether this release has a migration, or a base that contains it. */
export const isKnownMigration = (name: string): boolean => Object.hasOwn(migrations, name) || squashed.has(name)

/**
 * Runs the pending migrations.
 * @returns their names
 * @throws NewerSchemaError when the database has migrations that this release does not know, and its floor is one of them
 * @throws OlderSchemaError when it has some migrations of release 0.1.0, not all
 */
export async function migrate(database: Database): Promise<string[]> {
  const { db, dialect } = database
  const present = new Set(await adoptBase(database))
  const newer = [...present].filter((name) => !Object.hasOwn(migrations, name))
  if (newer.length > 0) {
    const isComplete = Object.keys(migrations).every((name) => present.has(name))
    if (isComplete && isKnownMigration(await floorOf(database))) return []
    throw new NewerSchemaError(newer)
  }
  // The Migrator reads the whole schema three times before it finds nothing to do.
  if (present.size === Object.keys(migrations).length) return []
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => bound(dialect) },
    // Merged branches may each add a migration.
    allowUnorderedMigrations: true,
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  await records(database).updateTable('installation').set({ schema_floor: schemaFloor() }).execute()
  return results.map(({ migrationName }) => migrationName)
}

/** What a start of this release would do to a database. */
export interface MigrationPlan {
  /** Migrations that it would run. */
  readonly pending: string[]
  /** Migrations of a newer release that keep it from starting; empty: it starts. */
  readonly unknown: string[]
}

/**
 * Returns what `migrate` would do. Reads only.
 * @throws OlderSchemaError as `migrate` does
 */
export async function planMigrations(database: Database): Promise<MigrationPlan> {
  const own = Object.keys(migrations).toSorted()
  const tables = await tableNames(records(database), database.dialect)
  if (!tables.has(DEFAULT_MIGRATION_TABLE)) {
    if (tables.has('migrations')) throw new OlderSchemaError()
    return { pending: own, unknown: [] }
  }
  const rows = await records(database).selectFrom(DEFAULT_MIGRATION_TABLE).select('name').execute()
  const names = rows.map(({ name }) => name)
  const present = new Set(names.filter((name) => !squashed.has(name)))
  if (present.size < names.length) {
    if (names.length - present.size < squashed.size) throw new OlderSchemaError()
    present.add('0001-base')
  }
  const pending = own.filter((name) => !present.has(name))
  const newer = [...present].filter((name) => !Object.hasOwn(migrations, name))
  const runs = newer.length === 0 || (pending.length === 0 && isKnownMigration(await floorOf(database)))
  return { pending, unknown: runs ? [] : newer }
}

/** Returns the migrations for one dialect, as the Migrator calls them. */
const bound = (dialect: Dialect) =>
  Object.fromEntries(
    Object.entries(migrations).map(([name, up]) => [name, { up: (db: Kysely<unknown>) => up(db as never, dialect) }]),
  )

interface Records {
  kysely_migration: { name: string; timestamp: string }
  installation: { schema_floor: string | null }
}

const records = ({ db }: Database) => db as unknown as Kysely<Records>

/** Returns the floor of a newer release; empty: it has none. */
async function floorOf(database: Database): Promise<string> {
  const row = await records(database).selectFrom('installation').select('schema_floor').executeTakeFirst()
  return row?.schema_floor ?? ''
}

/** Advisory lock of this change on PostgreSQL: replicas that start at the same time wait for it. */
const adoptionLock = 7_352_117

/**
 * Replaces the records of release 0.1.0 by that of the base, in one transaction.
 * @returns names of the migrations that the database has
 */
const adoptBase = (database: Database): Promise<readonly string[]> =>
  records(database)
    .transaction()
    .execute(async (trx) => {
      if (database.dialect === 'postgres') await sql`select pg_advisory_xact_lock(${adoptionLock})`.execute(trx)
      const tables = await tableNames(trx, database.dialect)
      // Releases before Kysely's Migrator recorded theirs in a table of their own.
      if (!tables.has(DEFAULT_MIGRATION_TABLE)) {
        if (tables.has('migrations')) throw new OlderSchemaError()
        return []
      }
      const names = (await trx.selectFrom(DEFAULT_MIGRATION_TABLE).select('name').execute()).map(({ name }) => name)
      const later = names.filter((name) => !squashed.has(name))
      if (later.length === names.length) return names
      if (names.length - later.length < squashed.size) throw new OlderSchemaError()
      await trx
        .deleteFrom(DEFAULT_MIGRATION_TABLE)
        .where('name', 'in', [...squashed])
        .execute()
      const record = { name: '0001-base', timestamp: new Date().toISOString() }
      await trx.insertInto(DEFAULT_MIGRATION_TABLE).values(record).execute()
      return [record.name, ...later]
    })

/** Names of all tables. Kysely's introspection on SQLite reads the columns of each table too. */
async function tableNames(db: Kysely<Records>, dialect: Dialect): Promise<ReadonlySet<string>> {
  const names =
    dialect === 'postgres'
      ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
      : sql<{ name: string }>`select name from sqlite_master where type = 'table'`
  return new Set((await names.execute(db)).rows.map(({ name }) => name))
}
