// SQL of the titles that runs of schedules set at platforms.
import type { Selectable } from 'kysely'
import type { ScheduledTitle } from '#contract/entities/schedule.ts'
import type { Db, ReadDb, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type TitleRow = Selectable<Tables['run_titles']>

interface TitleKey {
  readonly runId: number
  readonly channelId: number
}

/** Inserts the titles of a run. */
export async function insertTitles(trx: Trx, runId: number, titles: readonly ScheduledTitle[]): Promise<void> {
  if (titles.length === 0) return
  const rows = titles.map((one) => ({ ...one, run_id: runId, state: 'waiting' as const, reason: null, words: null }))
  await trx.insertInto('run_titles').values(rows).execute()
}

/** Returns the titles of runs. */
export async function listTitles(db: ReadDb, runIds: readonly number[]): Promise<TitleRow[]> {
  if (runIds.length === 0) return []
  return await db.selectFrom('run_titles').selectAll().where('run_id', 'in', runIds).orderBy('channel_id').execute()
}

/** Returns the title of a channel that its platform has not got yet. */
export const findWaitingTitle = (db: ReadDb, { runId, channelId }: TitleKey): Promise<TitleRow | undefined> =>
  db
    .selectFrom('run_titles')
    .selectAll()
    .where('run_id', '=', runId)
    .where('channel_id', '=', channelId)
    .where('state', '=', 'waiting')
    .executeTakeFirst()

/** Returns the title of a channel while scheduled files are on air. */
export const findTitleOnAir = (db: ReadDb, projectId: number, channelId: number): Promise<TitleRow | undefined> =>
  db
    .selectFrom('run_titles')
    .innerJoin('schedule_runs as run', 'run.id', 'run_titles.run_id')
    .innerJoin('broadcasts', 'broadcasts.project_id', 'run.project_id')
    .selectAll('run_titles')
    .where('run.project_id', '=', projectId)
    .where('run.date_over', 'is', null)
    .where('run.date_admit', 'is not', null)
    .where('broadcasts.date_end', 'is', null)
    .where('broadcasts.play', 'is not', null)
    .where('run_titles.channel_id', '=', channelId)
    .executeTakeFirst()

/** Stores what became of a title. @returns false when it was stored before */
export async function updateTitle(
  db: Db | Trx,
  { run_id, channel_id }: Pick<TitleRow, 'run_id' | 'channel_id'>,
  values: Pick<TitleRow, 'state' | 'reason' | 'words'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('run_titles')
    .set(values)
    .where('run_id', '=', run_id)
    .where('channel_id', '=', channel_id)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
