// Full-text indexes of the operator's search: words of projects' names, and of users' names and e-mail addresses.
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '#server/db/dialect.ts'

const texts = [
  { table: 'projects', words: 'project_words', columns: ['name', 'fename'] },
  { table: 'users', words: 'user_words', columns: ['email', 'first_name', 'last_name'] },
] as const

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const text of texts)
    for (const statement of (dialect === 'postgres' ? gin : fts)(text)) await statement.execute(db)
}

type Text = (typeof texts)[number]

/** The parser of PostgreSQL takes an address as one word, so that its punctuation becomes spaces. */
const gin = ({ table, words, columns }: Text) => {
  const all = columns.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `)
  return [
    sql.raw(
      `create index ${words} on ${table} using gin (to_tsvector('simple', translate(${all}, '@.-_+/:', '       ')))`,
    ),
  ]
}

const fts = ({ table, words, columns }: Text) => {
  const names = columns.join(', ')
  const of = (row: 'old' | 'new') => columns.map((column) => `${row}.${column}`).join(', ')
  const insert = `insert into ${words} (rowid, ${names}) values (new.id, ${of('new')});`
  const remove = `insert into ${words} (${words}, rowid, ${names}) values ('delete', old.id, ${of('old')});`
  return [
    `create virtual table ${words} using fts5 (${names}, content = '${table}', content_rowid = 'id',
      tokenize = 'unicode61 remove_diacritics 0', prefix = '1 2 3')`,
    `create trigger ${words}_insert after insert on ${table} begin ${insert} end`,
    `create trigger ${words}_delete after delete on ${table} begin ${remove} end`,
    `create trigger ${words}_update after update of ${names} on ${table} begin ${remove} ${insert} end`,
    `insert into ${words} (${words}) values ('rebuild')`,
  ].map((text) => sql.raw(text))
}
