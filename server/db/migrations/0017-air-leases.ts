// Leases: one relay node owns a project, and only its facts count. Nodes get the leases of their broadcasts on air.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('air_leases')
    .addColumn('project_id', 'integer', (col) => col.primaryKey().references('projects.id'))
    .addColumn('node', 'text', (col) => col.notNull())
    .addColumn('epoch', 'integer', (col) => col.notNull())
    .addColumn('until', 'bigint', (col) => col.notNull())
    .addColumn('lost_broadcast_id', 'integer')
    .execute()
  await db.schema.createIndex('air_leases_node').on('air_leases').column('node').execute()
  const plain = db as unknown as Kysely<{
    air_leases: { project_id: number; node: string; epoch: number; until: number }
    broadcasts: { project_id: number; node: string; date_end: string | null }
  }>
  await plain
    .insertInto('air_leases')
    .columns(['project_id', 'node', 'epoch', 'until'])
    .expression((eb) =>
      eb
        .selectFrom('broadcasts')
        .select(['project_id', 'node', eb.lit(1).as('epoch'), eb.lit(0).as('until')])
        .where('date_end', 'is', null),
    )
    .execute()
}
