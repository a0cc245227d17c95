// Outgoing webhooks: addresses of a project, their messages, and a log of attempts.
import type { Kysely } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('webhooks')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('url', 'text', (col) => col.notNull())
    .addColumn('sealed', 'text', (col) => col.notNull())
    .addColumn('sealed_old', 'text')
    .addColumn('date_old_end', 'text')
    .addColumn('is_on', 'integer', (col) => col.notNull())
    .addColumn('date_failing', 'text')
    .addColumn('date_create', 'text', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('webhooks_project').on('webhooks').column('project_id').execute()

  await db.schema
    .createTable('webhook_messages')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('webhook_id', 'integer', (col) => col.notNull().references('webhooks.id').onDelete('cascade'))
    .addColumn('message_id', 'text', (col) => col.notNull())
    .addColumn('kind', 'text', (col) => col.notNull())
    .addColumn('fact', 'text', (col) => col.notNull())
    .addColumn('body', 'text', (col) => col.notNull())
    .addColumn('state', 'text', (col) => col.notNull())
    .addColumn('attempts', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('date_due', 'text', (col) => col.notNull())
    .addColumn('claim', 'text')
    .addColumn('date_claim', 'text')
    .addColumn('date_create', 'text', (col) => col.notNull())
    .execute()
  await db.schema
    .createIndex('webhook_messages_once')
    .on('webhook_messages')
    .columns(['webhook_id', 'fact'])
    .unique()
    .execute()
  await db.schema.createIndex('webhook_messages_due').on('webhook_messages').columns(['state', 'date_due']).execute()

  await db.schema
    .createTable('webhook_attempts')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('webhook_id', 'integer', (col) => col.notNull().references('webhooks.id').onDelete('cascade'))
    .addColumn('message_id', 'text', (col) => col.notNull())
    .addColumn('kind', 'text', (col) => col.notNull())
    .addColumn('status', 'integer')
    .addColumn('result', 'text', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('webhook_attempts_webhook').on('webhook_attempts').columns(['webhook_id', 'id']).execute()
}
