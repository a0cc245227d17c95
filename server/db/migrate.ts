// Migrates a database with Kysely's Migrator: in one transaction, by one replica at a time.
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { adoptMigrations } from './adopt-migrations.ts'
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
import * as kyselyMigrator from './migrations/0022-kysely-migrator.ts'
import * as installation from './migrations/0023-installation.ts'
import * as planLines from './migrations/0024-plan-lines.ts'
import * as payments from './migrations/0025-payments.ts'
import * as promosPayouts from './migrations/0026-promos-payouts.ts'
import * as papersRenewals from './migrations/0027-papers-renewals.ts'
import * as ledgerIndex from './migrations/0028-ledger-index.ts'
import * as storageNotices from './migrations/0029-storage-notices.ts'
import * as chat from './migrations/0030-chat.ts'
import * as accountScopes from './migrations/0031-account-scopes.ts'
import * as chatInbox from './migrations/0032-chat-inbox.ts'
import * as notifications from './migrations/0033-notifications.ts'
import * as webhooks from './migrations/0034-webhooks.ts'
import * as moneyIndexes from './migrations/0035-money-indexes.ts'
import * as chatStar from './migrations/0036-chat-star.ts'
import * as planProjects from './migrations/0037-plan-projects.ts'
import * as chatStarSeq from './migrations/0038-chat-star-seq.ts'
import * as advances from './migrations/0039-advances.ts'
import * as secretCheck from './migrations/0040-secret-check.ts'
import * as jobs from './migrations/0041-jobs.ts'
import * as marks from './migrations/0042-marks.ts'
import * as debtEntries from './migrations/0043-debt-entries.ts'
import * as pushSessions from './migrations/0044-push-sessions.ts'
import * as srtOff from './migrations/0045-srt-off.ts'
import * as foldedNames from './migrations/0046-folded-names.ts'
import * as changeSubject from './migrations/0047-change-subject.ts'
import * as replacedKeys from './migrations/0048-replaced-keys.ts'
import * as readIndexes from './migrations/0049-read-indexes.ts'
import * as outboxJobs from './migrations/0053-outbox-jobs.ts'
import * as owners from './migrations/0050-owners.ts'
import * as urgentJobs from './migrations/0054-urgent-jobs.ts'
import type { Database } from './open.ts'

/** Each migration uses the tables of its time, so they share no type of the database. */
interface Migration {
  readonly up: (db: never, dialect: Dialect) => Promise<void>
}

/** Migrations by name. The Migrator runs them in the order of the names; a released name never changes. */
const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts': accounts,
  '0002-projects': projects,
  '0003-ledger': ledger,
  '0004-tariffs': tariffs,
  '0005-channels': channels,
  '0006-platform-accounts': platformAccounts,
  '0007-channel-invites': channelInvites,
  '0008-history': history,
  '0008-team': team,
  '0009-identities': identities,
  '0010-ingest': ingest,
  '0011-broadcasts': broadcasts,
  '0012-broadcast-events': broadcastEvents,
  '0013-transcoders': transcoders,
  '0014-recordings': recordings,
  '0015-recording-removal': recordingRemoval,
  '0016-stopped-broadcasts': stoppedBroadcasts,
  '0017-air-leases': airLeases,
  '0018-repeated-events': repeatedEvents,
  '0019-custom-channels': customChannels,
  '0019-handed-over-sessions': handedOverSessions,
  '0020-write-probes': writeProbes,
  '0021-channel-tests': channelTests,
  '0022-kysely-migrator': kyselyMigrator,
  '0023-installation': installation,
  '0024-plan-lines': planLines,
  '0025-payments': payments,
  '0026-promos-payouts': promosPayouts,
  '0027-papers-renewals': papersRenewals,
  '0028-ledger-index': ledgerIndex,
  '0029-storage-notices': storageNotices,
  '0030-chat': chat,
  '0031-account-scopes': accountScopes,
  '0032-chat-inbox': chatInbox,
  '0033-notifications': notifications,
  '0034-webhooks': webhooks,
  '0035-money-indexes': moneyIndexes,
  '0036-chat-star': chatStar,
  '0037-plan-projects': planProjects,
  '0038-chat-star-seq': chatStarSeq,
  '0039-advances': advances,
  '0040-secret-check': secretCheck,
  '0041-jobs': jobs,
  '0042-marks': marks,
  '0043-debt-entries': debtEntries,
  '0044-push-sessions': pushSessions,
  '0045-srt-off': srtOff,
  '0046-folded-names': foldedNames,
  '0047-change-subject': changeSubject,
  '0048-replaced-keys': replacedKeys,
  '0049-read-indexes': readIndexes,
  '0053-outbox-jobs': outboxJobs,
  '0050-owners': owners,
  '0054-urgent-jobs': urgentJobs,
}

/** The database was written by a newer release. This release could destroy data that it does not know. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError'
  constructor(names: readonly string[]) {
    super(
      `The database belongs to a newer release (it has ${names.join(', ')}). Install that release, or restore a backup.`,
    )
  }
}

/**
 * Runs the pending migrations.
 * @returns their names
 * @throws NewerSchemaError when the database has migrations that this release does not know
 */
export async function migrate(database: Database): Promise<string[]> {
  const { db, dialect } = database
  const present = new Set(await adoptMigrations(database))
  const newer = [...present].filter((name) => !Object.hasOwn(migrations, name))
  if (newer.length > 0) throw new NewerSchemaError(newer)
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
  return results.map(({ migrationName }) => migrationName)
}

/** Returns the migrations for one dialect, as the Migrator calls them. */
const bound = (dialect: Dialect) =>
  Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]) => [
      name,
      { up: (db: Kysely<unknown>) => up(db as never, dialect) },
    ]),
  )
