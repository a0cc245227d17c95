// Plain names: the announced price of a renewal and its time, and the jobs that check payments.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('renewals').renameColumn('told_minor', 'announced_minor').execute()
  await db.schema.alterTable('renewals').renameColumn('date_told', 'date_announced').execute()
  await sql`update jobs set kind = 'billing.check' where kind = 'billing.look'`.execute(db)
}
