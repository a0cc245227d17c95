// Jobs: work that is due once, retried, and done. One row is one piece of work.
import type { Kysely } from 'kysely'
import { sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('jobs')
    .addColumn('kind', 'text', (col) => col.notNull())
    .addColumn('key', 'text', (col) => col.notNull())
    .addColumn('due', 'bigint')
    .addColumn('again', 'bigint')
    .addColumn('token', 'bigint', (col) => col.notNull().defaultTo(0))
    .addColumn('attempts', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('deaths', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('jobs_key', ['kind', 'key'])
    .execute()
  await sql`create index jobs_due on jobs (kind, due) where due is not null`.execute(db)
  await sql`create index jobs_suspect on jobs (due) where deaths >= 2`.execute(db)
  await sql`create index jobs_trouble on jobs (kind, key) where error is not null`.execute(db)
}
