// Indexes of the papers of a month: of a project, and of all of them.
import type { Kysely } from 'kysely'

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.createIndex('papers_month').on('papers').column('date_create').execute()
  await schema.createIndex('papers_project').on('papers').columns(['project_id', 'date_create']).execute()
}
