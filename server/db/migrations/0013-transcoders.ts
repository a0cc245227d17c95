// Transcoders of projects. Their channels are in `project_channels`.
import type { Kysely } from 'kysely'
import { type Dialect, identity } from '#server/db/dialect.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('transcoders')
    .addColumn('id', 'integer', identity(dialect))
    .addColumn('project_id', 'integer', (col) => col.notNull().references('projects.id'))
    .addColumn('name', 'text', (col) => col.notNull())
    .addColumn('mode', 'text', (col) => col.notNull())
    .addColumn('active', 'integer', (col) => col.notNull())
    .addColumn('video_codec', 'text', (col) => col.notNull())
    .addColumn('preset', 'text', (col) => col.notNull())
    .addColumn('width', 'integer')
    .addColumn('height', 'integer')
    .addColumn('fps', 'integer')
    .addColumn('video_kbps', 'integer')
    .addColumn('audio_kbps', 'integer')
    .addColumn('rotation', 'integer')
    .addColumn('b_frames', 'integer')
    .addColumn('delay_seconds', 'integer', (col) => col.notNull())
    .addColumn('date_create', 'text', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('transcoders_project').on('transcoders').column('project_id').execute()
}
