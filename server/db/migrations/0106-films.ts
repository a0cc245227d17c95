// Films of projects: media files that are uploaded in parts and prepared by a relay node.
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '#server/db/dialect.ts'
import { marksOf } from '#server/db/marks.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const number = 'integer not null default 0'
  const statements = [
    // SQLite stores integers of 64 bits anyway.
    ...(dialect === 'sqlite' ? [] : ['alter table media_files alter column bytes type bigint']),
    ...[
      `kind text not null default 'picture'`,
      `state text not null default 'ready'`,
      'error text',
      'thumbnail text',
      'user_id integer references users (id) on delete set null',
      `width ${number}`,
      `height ${number}`,
      `duration_ms ${number}`,
      `done ${number}`,
      'date_delete text',
    ].map((column) => `alter table media_files add column ${column}`),
    `create table media_uploads (media_id integer primary key references media_files (id) on delete cascade,
      file_id text not null unique, length bigint, received bigint not null default 0, date_touch text not null,
      lock_owner text, lock_until bigint not null default 0, lock_wanted integer not null default 0,
      job text unique, node text, node_until bigint not null default 0, attempts ${number})`,
    'alter table recordings add column title text',
    'alter table installation add column media_marker text',
    ...marksOf(dialect, 'media_files'),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
