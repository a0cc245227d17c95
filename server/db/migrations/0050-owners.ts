// Owners: one table for what is held while its holder is alive. Leases of projects, chat readers, the Telegram loop and account
// tokens move into it, with their epochs.
import { type Kysely, sql } from 'kysely'

interface Before {
  platform_accounts: { id: number; date_lease: string | null }
  owners: { kind: string; key: string; holder: string; epoch: number; until: number }
}

export async function up(db: Kysely<Before>): Promise<void> {
  await db.schema
    .createTable('owners')
    .addColumn('kind', 'text', (col) => col.notNull())
    .addColumn('key', 'text', (col) => col.notNull())
    .addColumn('holder', 'text', (col) => col.notNull())
    .addColumn('epoch', 'integer', (col) => col.notNull())
    .addColumn('until', 'bigint', (col) => col.notNull())
    .addPrimaryKeyConstraint('owners_key', ['kind', 'key'])
    .execute()
  await db.schema.createIndex('owners_holder').on('owners').columns(['kind', 'holder']).execute()

  await sql`insert into owners select 'air', cast(project_id as text), node, epoch, until from air_leases`.execute(db)
  await db.schema.alterTable('broadcasts').addColumn('lost_epoch', 'integer').execute()
  await sql`update broadcasts set lost_epoch = (select epoch from air_leases where lost_broadcast_id = broadcasts.id)
    where id in (select lost_broadcast_id from air_leases where lost_broadcast_id is not null)`.execute(db)
  await sql`create index broadcasts_lost on broadcasts (project_id) where lost_epoch is not null`.execute(db)
  await db.schema.dropTable('air_leases').execute()

  await sql`insert into owners select 'chat', source, holder, epoch, until from chat_readers`.execute(db)
  for (const column of ['holder', 'epoch', 'until'])
    await db.schema.alterTable('chat_readers').dropColumn(column).execute()

  await sql`insert into owners select 'telegram', '', holder, 1, until from telegram_offsets`.execute(db)
  for (const column of ['holder', 'until']) await db.schema.alterTable('telegram_offsets').dropColumn(column).execute()

  const held = await db
    .selectFrom('platform_accounts')
    .select(['id', 'date_lease'])
    .where('date_lease', 'is not', null)
    .execute()
  for (const { id, date_lease } of held)
    await db
      .insertInto('owners')
      .values({ kind: 'account', key: String(id), holder: 'earlier', epoch: 1, until: Date.parse(date_lease ?? '') })
      .execute()
  await db.schema.alterTable('platform_accounts').dropColumn('date_lease').execute()
}
