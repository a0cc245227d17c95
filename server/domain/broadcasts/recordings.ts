// Recordings of broadcasts: whether a project is recorded, how much, and what the nodes told about the files.
import type { Selectable } from 'kysely'
import * as z from 'zod/mini'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { ForbiddenError, RuleError } from '#server/core/errors.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { RecordingTables } from '#server/db/tables-recordings.ts'
import { transaction } from '#server/db/transaction.ts'
import { insertEvent } from './store.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import type { LiveFact, RecordingFacts } from './live-facts.ts'
import { limitsOf } from '#server/domain/tariffs/plan-limits.ts'
import { ticketsOf } from '#server/core/tickets.ts'

const gigabyte = 1_000_000_000

type Row = Selectable<RecordingTables['recordings']>

/** What a relay node shall record: nothing where it is left out. */
export interface RecordWish {
  /** All recordings of the project on the node together. */
  readonly bytesMax: number
}

/**
 * What a node is told about recording.
 * @param storageGb space of the project
 * @param node that has the project on air; files on others take their part of the space
 */
export async function recordWishOf(
  { db }: Pick<Services, 'db'>,
  projectId: number,
  { storageGb, node }: { readonly storageGb: number; readonly node: string | undefined },
): Promise<{ readonly record?: RecordWish }> {
  const bytesMax = storageGb * gigabyte
  if (bytesMax <= 0) return {}
  const elsewhere = node === undefined ? 0 : await bytesUsed(db, projectId, node)
  return { record: { bytesMax: bytesMax - elsewhere } }
}

/** Bytes of a project's recordings. @param without a node whose files do not count */
async function bytesUsed(db: Db, projectId: number, without = ''): Promise<number> {
  const { bytes } = await db
    .selectFrom('recordings')
    .select((eb) => eb.fn.sum<number | string | null>('bytes').as('bytes'))
    .where('project_id', '=', projectId)
    .where('node', '!=', without)
    .where('date_delete', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** The space that a project has for recordings, and what they take of it; bytes. */
export async function storageOf(
  services: Pick<Services, 'clock' | 'config' | 'db'>,
  projectId: number,
): Promise<{ readonly limit: number; readonly used: number }> {
  const { storageGb } = await limitsOf(services, services.db, projectId)
  return { limit: storageGb * gigabyte, used: await bytesUsed(services.db, projectId) }
}

/** Notes what became of a file, and tells it in the events of its broadcast. */
export async function recordRecording(
  trx: Trx,
  node: string,
  { projectId, at, recording }: LiveFact & { readonly type: 'recording' },
): Promise<void> {
  const { name, file, state, reason, bytes, durationMs, startedAt } = recording
  if (state === 'gone') {
    await trx.deleteFrom('recordings').where('node', '=', node).where('name', '=', name).execute()
    return
  }
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
export const listRecordings = (db: Db, broadcastId: number): Promise<Row[]> =>
  db
    .selectFrom('recordings')
    .selectAll()
    .where('broadcast_id', '=', broadcastId)
    .where('date_delete', 'is', null)
    .orderBy('id')
    .execute()

/** How many files each of these broadcasts has; those without any are not in it. */
export async function countRecordings(db: Db, broadcastIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (broadcastIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('recordings')
    .select((eb) => ['broadcast_id', eb.fn.countAll<number | string>().as('count')])
    .where('broadcast_id', 'in', broadcastIds)
    .where('state', '!=', 'failed')
    .where('date_delete', 'is', null)
    .groupBy('broadcast_id')
    .execute()
  return new Map(rows.map(({ broadcast_id, count }) => [broadcast_id ?? 0, Number(count)]))
}

/** A recording of a project. @throws ForbiddenError for one of another project, and for none at all */
export async function getRecording(db: Db | Trx, projectId: number, id: number): Promise<Row> {
  const row = await db
    .selectFrom('recordings')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .where('date_delete', 'is', null)
    .executeTakeFirst()
  if (!row) throw new ForbiddenError()
  return row
}

/**
 * Deletes a recording: it is gone for everybody at once, and from the disk as soon as its node is told.
 * @throws RuleError `RecordingBusy` while it is written
 */
export async function removeRecording(
  services: Services,
  { projectId, id, userId }: { readonly projectId: number; readonly id: number; readonly userId: number },
): Promise<void> {
  await transaction(services.db, async (trx) => {
    const { state, broadcast_id, date_create } = await getRecording(trx, projectId, id)
    if (state === 'recording' || state === 'processing')
      throw new RuleError('RecordingBusy', 'It is still being written')
    const date_delete = iso(services.clock.now())
    await trx.updateTable('recordings').set({ date_delete }).where('id', '=', id).execute()
    const details = { broadcast_id, recorded_at: date_create }
    await recordHistory(services, trx, { projectId, userId, action: 'recording_removed', details })
  })
  services.relay.clear()
}

/** What nodes call the files that they shall take away. */
export async function listRemoved(db: Db, node: string): Promise<string[]> {
  const rows = await db
    .selectFrom('recordings')
    .select('name')
    .where('node', '=', node)
    .where('date_delete', 'is not', null)
    .limit(1000)
    .execute()
  return rows.map(({ name }) => name)
}

/** Whose ticket it is, and for which file. */
const Fetching = z.object({ projectId: z.int(), sessionId: z.int(), id: z.int() })
export type Fetching = z.output<typeof Fetching>

/** Good for a download that breaks off and is resumed. */
export const recordingTickets = ticketsOf<Fetching>('recording ticket', Fetching, 3_600_000)

/** What a file is called where it is saved. */
export function downloadName({ broadcast_id, date_create, file }: Row): string {
  const when = date_create.slice(0, 19).replaceAll(':', '-')
  return `broadcast-${broadcast_id ?? 0}-${when}.${file.split('.').at(-1) ?? 'flv'}`
}
