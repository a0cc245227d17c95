// Recordings of broadcasts: whether a project is recorded, how much, and what the nodes told about the files.
import type { Services } from '#server/core/context.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { insertEvent } from './broadcasts-store.ts'
import type { LiveFact, RecordingFacts } from './live-facts.ts'

const gigabyte = 1_000_000_000

/** What a relay node shall record: nothing where it is left out. */
export interface RecordWish {
  /** All recordings of the project on the node together. */
  readonly bytesMax: number
}

/**
 * What a node is told about recording.
 * @param storageGb what the tariff gives; null: what this installation gives to everybody
 */
export function recordWishOf(
  { config }: Pick<Services, 'config'>,
  isRecorded: boolean,
  storageGb: number | null,
): { readonly record?: RecordWish } {
  const limitGb = storageGb ?? config.recordLimitGb
  return isRecorded && limitGb > 0 ? { record: { bytesMax: limitGb * gigabyte } } : {}
}

/** Notes what became of a file, and tells it in the events of its broadcast. */
export async function recordRecording(
  trx: Trx,
  node: string,
  { projectId, at, recording }: LiveFact & { readonly type: 'recording' },
): Promise<void> {
  const { name, file, state, reason, bytes, durationMs, startedAt } = recording
  const known = await trx
    .selectFrom('recordings')
    .select(['id', 'broadcast_id', 'state'])
    .where('node', '=', node)
    .where('name', '=', name)
    .executeTakeFirst()
  const now = { file, state, reason, bytes, duration_ms: durationMs }
  const startsAt = new Date(startedAt).toISOString()
  const broadcastId = known ? known.broadcast_id : await broadcastAt(trx, projectId, startsAt)
  if (known) {
    await trx.updateTable('recordings').set(now).where('id', '=', known.id).execute()
  } else {
    const row = { ...now, project_id: projectId, broadcast_id: broadcastId, node, name, date_create: startsAt }
    await trx.insertInto('recordings').values(row).execute()
  }
  const telling = tellingOf(recording)
  if (broadcastId !== null && telling && known?.state !== state)
    await insertEvent(trx, broadcastId, new Date(at).toISOString(), { ...telling, reason, node })
}

/** What people are told. A file that ends for a reason tells the reason once. */
function tellingOf({ state, reason }: RecordingFacts) {
  if (state === 'recording') return { level: 'info' as const, kind: 'record-began' }
  if (state === 'ready') return reason === null ? { level: 'info' as const, kind: 'record-ready' } : null
  return reason === null ? null : { level: 'warning' as const, kind: 'record-stopped' }
}

/** The broadcast that a project had on air at a time, or began last before it. */
async function broadcastAt(trx: Trx, projectId: number, at: string): Promise<number | null> {
  const row = await trx
    .selectFrom('broadcasts')
    .select('id')
    .where('project_id', '=', projectId)
    .where('date_create', '<=', at)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Recordings of a broadcast, in order of time. */
export const listRecordings = (db: Db, broadcastId: number) =>
  db.selectFrom('recordings').selectAll().where('broadcast_id', '=', broadcastId).orderBy('id').execute()
