// Projects that see an unlisted plan, for plans of all lines.
import type { Kysely } from 'kysely'

interface Old {
  restream_plan_projects: { plan_id: number; project_id: number }
  plan_projects: { line: string; plan_id: number; project_id: number }
}

export async function up(db: Kysely<Old>): Promise<void> {
  await db.schema
    .createTable('plan_projects')
    .addColumn('line', 'varchar(20)', (col) => col.notNull())
    .addColumn('plan_id', 'integer', (col) => col.notNull())
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addPrimaryKeyConstraint('plan_projects_key', ['line', 'plan_id', 'project_id'])
    .execute()
  const rows = await db.selectFrom('restream_plan_projects').selectAll().execute()
  for (const row of rows)
    await db
      .insertInto('plan_projects')
      .values({ line: 'restream', ...row })
      .execute()
  await db.schema.dropTable('restream_plan_projects').execute()
  await db.schema.createIndex('plan_projects_project').on('plan_projects').columns(['project_id', 'line']).execute()
}
