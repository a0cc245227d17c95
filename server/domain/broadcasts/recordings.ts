// Recordings: the storage of a project, and files as their nodes report them.
import type { DesiredRecording } from '#contract/relay/desired-state.ts'
import type { RelayEvent } from '#contract/relay/events.ts'
import type { RecordingReport } from '#contract/relay/reports.ts'
import * as z from 'zod/mini'
import { iso } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { ForbiddenError, RuleError } from '#server/core/errors.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { insertEvent } from './events-store.ts'
import {
  findRecording,
  findRecordingOfFile,
  insertRecording,
  type RecordingRow,
  removeRecordingOfFile,
  updateRecording,
} from './recordings-store.ts'
import { findBroadcastIdAt } from './store.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { gigabyte, usedBytes } from '#server/domain/media/space.ts'
import { sumFilmBytes, sumRecordingBytes } from '#server/domain/media/space-store.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { storageGb } from '#server/domain/tariffs/allowances.ts'
import { ticketsOf } from '#server/core/tickets.ts'

/**
 * Returns the desired recording of a project for its node.
 * @param gigabytes space of the project
 * @param machine that has the project on air; files on other machines and films reduce the space
 */
export async function desiredRecordingOf(
  { db }: Reading<Pick<Services, 'db'>>,
  projectId: number,
  { gigabytes, machine }: { readonly gigabytes: number; readonly machine: string | undefined },
): Promise<{ readonly record?: DesiredRecording }> {
  const bytesMax = gigabytes * gigabyte
  if (bytesMax <= 0) return {}
  const elsewhere = machine === undefined ? 0 : await sumRecordingBytes(db, projectId, machine)
  return { record: { bytesMax: bytesMax - elsewhere - (await sumFilmBytes(db, projectId)) } }
}

/** Records the state of a file, adds an event to its broadcast, and notifies the owners when the space is nearly used. */
export async function recordRecording(
  services: Pick<Services, 'clock' | 'config'>,
  trx: Trx,
  { node, machine }: { readonly node: string; readonly machine: string },
  { projectId, at, recording }: RelayEvent & { readonly type: 'recording' },
): Promise<void> {
  const { name, file, state, reason, bytes, durationMs, startedAt } = recording
  if (state === 'gone') return await removeRecordingOfFile(trx, { node: machine, name })
  const known = await findRecordingOfFile(trx, { node: machine, name })
  const now = { file, state, reason, bytes, duration_ms: durationMs }
  const startsAt = new Date(startedAt).toISOString()
  const broadcastId = known ? known.broadcast_id : ((await findBroadcastIdAt(trx, projectId, startsAt)) ?? null)
  if (known) {
    await updateRecording(trx, known.id, now)
  } else {
    const about = { project_id: projectId, broadcast_id: broadcastId, node: machine, name, date_create: startsAt }
    await insertRecording(trx, { ...now, ...about })
  }
  await noticeStorage(services, trx, projectId, {
    bytes: bytes - Number(known?.bytes ?? 0),
    file: `${machine}.${name}`,
  })
  const event = eventOf(recording)
  if (broadcastId !== null && event && known?.state !== state)
    await insertEvent(trx, broadcastId, new Date(at).toISOString(), { ...event, reason, node })
}

/** Parts of the space, percent, whose use the owners are notified of. */
const nearlyFull = [95, 80] as const

/** Notifies the owners when a file raises the used space to 80 or 95 %. @param added `bytes`: growth of the file */
async function noticeStorage(
  services: Pick<Services, 'clock' | 'config'>,
  trx: Trx,
  projectId: number,
  added: { readonly bytes: number; readonly file: string },
): Promise<void> {
  if (added.bytes <= 0) return
  const space = (await storageGb(services, trx, projectId)) * gigabyte
  const used = await usedBytes(trx, projectId)
  const step = nearlyFull.find((percent) => used * 100 >= space * percent)
  if (space <= 0 || step === undefined || (used - added.bytes) * 100 >= space * step) return
  const percent = Math.min(100, Math.floor((used * 100) / space))
  await notify(services, trx, {
    kind: 'storage_nearly_full',
    projectId,
    ref: `${step}.${added.file}`,
    params: { percent },
  })
}

/** Returns the event of a file's state; null: none. A file that ends for a reason has one event with the reason. */
function eventOf({ state, reason }: RecordingReport) {
  if (state === 'recording') return { level: 'info' as const, kind: 'record-began' }
  if (state === 'ready') return reason === null ? { level: 'info' as const, kind: 'record-ready' } : null
  return reason === null ? null : { level: 'warning' as const, kind: 'record-stopped' }
}

/** Returns a recording of a project. @throws ForbiddenError for an unknown one, or one of another project */
export async function getRecording(db: ReadDb, projectId: number, id: number): Promise<RecordingRow> {
  const row = await findRecording(db, projectId, id)
  if (!row) throw new ForbiddenError()
  return row
}

/**
 * Deletes a recording: hides it immediately. Its node deletes the file when it is connected.
 * @throws RuleError `RecordingBusy` while it is written
 */
export async function removeRecording(
  services: Services,
  { projectId, id, userId }: { readonly projectId: number; readonly id: number; readonly userId: number },
): Promise<void> {
  await transaction(services.db, async (trx) => {
    const { state, broadcast_id, date_create } = await getRecording(trx, projectId, id)
    if (state === 'recording' || state === 'processing') throw new RuleError('RecordingBusy')
    await updateRecording(trx, id, { date_delete: iso(services.clock.now()) })
    const details = { broadcast_id, recorded_at: date_create }
    await recordHistory(services, trx, { projectId, userId, action: 'recording_removed', details })
  })
  services.relay.clear()
}

/** The session and the file that a ticket is for. */
const Fetching = z.object({ projectId: z.int(), sessionId: z.int(), id: z.int() })
export type Fetching = z.output<typeof Fetching>

/** Valid for an hour, so that an interrupted download can resume. */
export const recordingTickets = ticketsOf<Fetching>('recording ticket', Fetching, 3_600_000)

/** Returns the path of a recording for a session, below the root of the service. */
export function recordingPath(
  services: Pick<Services, 'clock' | 'config'>,
  row: RecordingRow,
  sessionId: number,
): { readonly url: string; readonly until: Date } {
  const { ticket, until } = recordingTickets.issue(services, { projectId: row.project_id, sessionId, id: row.id })
  return { url: `/recordings/${row.id}/${downloadName(row)}?ticket=${ticket}`, until }
}

/** Returns the file name that browsers save a recording under. */
export function downloadName({ broadcast_id, date_create, file }: RecordingRow): string {
  const when = date_create.slice(0, 19).replaceAll(':', '-')
  return `broadcast-${broadcast_id ?? 0}-${when}.${file.split('.').at(-1) ?? 'flv'}`
}
