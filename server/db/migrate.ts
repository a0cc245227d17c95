// Brings a database to the shape that this release knows: all of it or nothing, and one replica at a time.
import { type Kysely, sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import * as accounts from './migrations/0001-accounts.ts'
import * as projects from './migrations/0002-projects.ts'
import * as ledger from './migrations/0003-ledger.ts'
import * as tariffs from './migrations/0004-tariffs.ts'
import * as channels from './migrations/0005-channels.ts'
import * as platformAccounts from './migrations/0006-platform-accounts.ts'
import * as channelInvites from './migrations/0007-channel-invites.ts'
import * as history from './migrations/0008-history.ts'
import * as team from './migrations/0008-team.ts'
import * as identities from './migrations/0009-identities.ts'
import * as ingest from './migrations/0010-ingest.ts'
import * as broadcasts from './migrations/0011-broadcasts.ts'
import * as broadcastEvents from './migrations/0012-broadcast-events.ts'
import * as transcoders from './migrations/0013-transcoders.ts'
import * as recordings from './migrations/0014-recordings.ts'
import * as recordingRemoval from './migrations/0015-recording-removal.ts'
import * as stoppedBroadcasts from './migrations/0016-stopped-broadcasts.ts'
import * as airLeases from './migrations/0017-air-leases.ts'
import * as repeatedEvents from './migrations/0018-repeated-events.ts'
import * as customChannels from './migrations/0019-custom-channels.ts'
import * as handedOverSessions from './migrations/0019-handed-over-sessions.ts'
import * as writeProbes from './migrations/0020-write-probes.ts'
import * as channelTests from './migrations/0021-channel-tests.ts'
import type { Database } from './open.ts'

interface Migration {
  // Each migration knows the tables as they were then, so they do not share a type.
  up(db: Kysely<never>, dialect: Dialect): Promise<void>
}

/** In order; a name never changes once it was released. */
const migrations: ReadonlyMap<string, Migration> = new Map([
  ['0001-accounts', accounts as unknown as Migration],
  ['0002-projects', projects as unknown as Migration],
  ['0003-ledger', ledger as unknown as Migration],
  ['0004-tariffs', tariffs as unknown as Migration],
  ['0005-channels', channels as unknown as Migration],
  ['0006-platform-accounts', platformAccounts as unknown as Migration],
  ['0007-channel-invites', channelInvites as unknown as Migration],
  ['0008-history', history as unknown as Migration],
  ['0008-team', team as unknown as Migration],
  ['0009-identities', identities as unknown as Migration],
  ['0010-ingest', ingest as unknown as Migration],
  ['0011-broadcasts', broadcasts as unknown as Migration],
  ['0012-broadcast-events', broadcastEvents as unknown as Migration],
  ['0013-transcoders', transcoders as unknown as Migration],
  ['0014-recordings', recordings as unknown as Migration],
  ['0015-recording-removal', recordingRemoval as unknown as Migration],
  ['0016-stopped-broadcasts', stoppedBroadcasts as unknown as Migration],
  ['0017-air-leases', airLeases as unknown as Migration],
  ['0018-repeated-events', repeatedEvents as unknown as Migration],
  ['0019-custom-channels', customChannels as unknown as Migration],
  ['0019-handed-over-sessions', handedOverSessions as unknown as Migration],
  ['0020-write-probes', writeProbes as unknown as Migration],
  ['0021-channel-tests', channelTests as unknown as Migration],
])

/** Any number that nobody else locks on this database. */
const lockKey = 7_352_117

/** The database was written by a newer release. Running on it could destroy what this one does not understand. */
export class NewerSchemaError extends Error {
  constructor(names: readonly string[]) {
    super(
      `The database belongs to a newer release (it has ${names.join(', ')}). Install that release, or restore a backup.`,
    )
    this.name = 'NewerSchemaError'
  }
}

/**
 * Runs the migrations that the database does not have.
 * @returns their names
 */
export function migrate({ db, dialect }: Database): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${lockKey})`.execute(trx)
    const plain = trx as unknown as Kysely<{ migrations: { name: string } }>
    await plain.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('name', 'text', (col) => col.primaryKey())
      .execute()
    const rows = await plain.selectFrom('migrations').select('name').execute()
    const done = new Set(rows.map((row) => row.name))
    const newer = [...done].filter((name) => !migrations.has(name))
    if (newer.length > 0) throw new NewerSchemaError(newer)

    const ran: string[] = []
    for (const [name, migration] of migrations) {
      if (done.has(name)) continue
      await migration.up(trx as unknown as Kysely<never>, dialect)
      await plain.insertInto('migrations').values({ name }).execute()
      ran.push(name)
    }
    return ran
  })
}
