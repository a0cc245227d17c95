// SRT channels are off: sending by SRT is not built, so one that is on never goes live and takes a place of the plan.
import type { Kysely } from 'kysely'

interface Old {
  project_channels: { channel_id: number; active: number }
  channels: { id: number; type: string }
}

export async function up(db: Kysely<unknown>): Promise<void> {
  await (db as Kysely<Old>)
    .updateTable('project_channels')
    .set({ active: 0 })
    .where('active', '=', 1)
    .where('channel_id', 'in', (eb) => eb.selectFrom('channels').select('id').where('type', '=', 'srt'))
    .execute()
}
