// Marks: triggers count the changes that the desired state of a project depends on, so that no writer has to remember them.
import type { Dialect } from './dialect.ts'
import type { Tables } from './tables.ts'
import type { ReadDb } from './types.ts'

/** Channel of signals for changed projects. The payload is a project and its version; project 0 stands for all. */
export const marksChannel = 'marks'

interface Input {
  /** Columns whose change counts; `all`: every column. Insertions and removals always count. */
  readonly columns: readonly string[] | 'all'
  /** SQL of the project: a column of the row, or a query with `{row}`. `0`: all projects. */
  readonly project: string
  /** A migration of its own makes the triggers of the table, by `marksOf`. */
  readonly isApart?: true
}

const own = (...columns: string[]): Input => ({ columns, project: '{row}.project_id' })
const everyProject: Input = { columns: 'all', project: '0' }

/** Dependencies of `readDesired` and of the places of chats (`readWantedPlaces`), by table. */
export const inputs: Readonly<Partial<Record<keyof Tables, Input>>> = {
  broadcasts: own('date_pause', 'held_until', 'date_end', 'node', 'play'),
  broadcast_targets: {
    columns: ['state', 'address', 'secret_sealed', 'video_id'],
    project: '(select project_id from broadcasts where id = {row}.broadcast_id)',
  },
  channels: {
    columns: ['address', 'secret_sealed', 'account_id', 'type', 'external_id', 'channel_url'],
    project: '(select project_id from project_channels where channel_id = {row}.id)',
  },
  installation: { columns: ['billing'], project: '0' },
  media_files: { ...own('file', 'thumbnail', 'bytes', 'date_delete'), isApart: true },
  platform_accounts: {
    columns: ['status', 'scopes'],
    project: `(select link.project_id from channels join project_channels as link on link.channel_id = channels.id
      where channels.account_id = {row}.id)`,
  },
  plan_terms: own('date_start', 'date_end', 'date_cancel', 'date_rolled', 'allowance', 'plan_id'),
  project_channels: own('active', 'transcoder_id', 'delay_seconds', 'access_type', 'tracks', 'silence', 'ladder'),
  pull_keys: own(),
  recordings: own('bytes', 'date_delete', 'node'),
  restream_plans: everyProject,
  restreams: { columns: [], project: '(select project_id from broadcasts where id = {row}.broadcast_id)' },
  storage_plans: everyProject,
  stream_keys: own('key_hash', 'record', 'wait_minutes', 'hold', 'lost_media_id', 'pause_media_id', 'quality'),
  telegram_chats: {
    columns: ['chat_id'],
    project: '(select project_id from project_channels where channel_id = {row}.channel_id)',
  },
  transcoders: { columns: 'all', project: '{row}.project_id' },
  transcoding_plans: everyProject,
}

/**
 * Returns the statements that make the triggers of a database. Tables that have them get them anew.
 * @param later columns that a later migration adds, by table
 */
export function markStatements(
  dialect: Dialect,
  later: Readonly<Partial<Record<keyof Tables, readonly string[]>>> = {},
): string[] {
  const together = Object.entries(inputs).filter(([, { isApart }]) => !isApart)
  const known = together.map(([table, { columns, project }]): [string, Input] => {
    const missing = later[table as keyof Tables] ?? []
    return [table, { columns: columns === 'all' ? columns : columns.filter((one) => !missing.includes(one)), project }]
  })
  return dialect === 'sqlite' ? known.flatMap(sqliteTriggers) : postgresStatements(known)
}

/** Returns the statements that make the triggers of one table, which `markStatements` leaves out. */
export function marksOf(dialect: Dialect, table: 'media_files'): string[] {
  const input = inputs[table]
  if (!input) return []
  return dialect === 'sqlite' ? sqliteTriggers([table, input]) : postgresTriggers([table, input])
}

function sqliteTriggers([table, input]: [string, Input]): string[] {
  const mark = (row: 'new' | 'old') => `insert into project_versions (project_id, version)
    select id, 1 from (${projectsOf(input, row)}) where id is not null
    on conflict (project_id) do update set version = version + 1`
  const update = input.columns === 'all' ? 'update' : `update of ${input.columns.join(', ')}`
  const changed = input.columns === 'all' ? '' : `when ${anyOf(input.columns, 'is not')}`
  return [
    ...['insert', 'update', 'delete'].map((event) => `drop trigger if exists mark_${table}_${event}`),
    `create trigger mark_${table}_insert after insert on ${table} begin ${mark('new')}; end`,
    `create trigger mark_${table}_delete after delete on ${table} begin ${mark('old')}; end`,
    ...(input.columns.length === 0
      ? []
      : [`create trigger mark_${table}_update after ${update} on ${table} ${changed} begin ${mark('new')}; end`]),
  ]
}

function postgresStatements(known: readonly [string, Input][]): string[] {
  const one = `create or replace function mark_project(project integer) returns void language plpgsql as $$
    declare counted bigint;
    begin
      insert into project_versions (project_id, version) values (project, 1)
        on conflict (project_id) do update set version = project_versions.version + 1 returning version into counted;
      perform pg_notify('relaydeck_${marksChannel}_' || current_schema(), project || ' ' || counted);
    end $$`
  return [one, ...known.flatMap(postgresTriggers)]
}

function postgresTriggers([table, input]: [string, Input]): string[] {
  const mark = (row: 'new' | 'old') =>
    `perform mark_project(id) from (${projectsOf(input, row)}) as changed where id is not null;`
  const trigger = (event: string, when = '') => `create trigger mark_${table}_${event.split(' ')[0]}
    after ${event} on ${table} for each row ${when} execute function mark_${table}()`
  const update = input.columns === 'all' ? 'update' : `update of ${input.columns.join(', ')}`
  const changed = input.columns === 'all' ? '' : `when (${anyOf(input.columns, 'is distinct from')})`
  return [
    `create or replace function mark_${table}() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then ${mark('old')} else ${mark('new')} end if;
      return null;
    end $$`,
    ...['insert', 'update', 'delete'].map((event) => `drop trigger if exists mark_${table}_${event} on ${table}`),
    trigger('insert'),
    trigger('delete'),
    ...(input.columns.length === 0 ? [] : [trigger(update, changed)]),
  ]
}

/** Query of the projects that a row belongs to, in the order of their locks. */
function projectsOf({ project }: Input, row: 'new' | 'old'): string {
  const text = project.replaceAll('{row}', row)
  return text.startsWith('(')
    ? `select project_id as id from ${text} as found order by project_id`
    : `select ${text} as id`
}

const anyOf = (columns: readonly string[], differs: string): string =>
  columns.map((column) => `old.${column} ${differs} new.${column}`).join(' or ')

/** Returns the versions of projects, and of project 0; a project that never changed has none. */
export async function listVersions(db: ReadDb, projectIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>()
  for (let at = 0; at < projectIds.length; at += 500) {
    const rows = await db
      .selectFrom('project_versions')
      .selectAll()
      .where('project_id', 'in', [0, ...projectIds.slice(at, at + 500)])
      .execute()
    for (const { project_id, version } of rows) found.set(project_id, version)
  }
  return found
}
