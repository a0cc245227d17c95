// Removal of the oldest recordings of projects that exceed their space: announced once, two notices, then until it fits.
import * as z from 'zod/mini'
import { dayMs, iso, later } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { env, settings, whole } from '#server/core/variables.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { storageGbOf } from '#server/domain/tariffs/catalog.ts'
import { storageGb } from '#server/domain/tariffs/allowances.ts'
import { getEverythingPlan, lockProject } from '#server/domain/tariffs/store.ts'
import { gigabyte, usedBytes } from '#server/domain/media/space.ts'
import { listLarge } from '#server/domain/media/space-store.ts'
import {
  findRemoval,
  insertRemoval,
  listAnnounced,
  listFinished,
  type RecordingRow,
  type RemovalRow,
  removeStorageRemoval,
  removeStorageRemovals,
  updateRecording,
  updateRemoval,
} from './recordings-store.ts'

export const storageSettings = settings({
  /** Minimum space for recordings of a project on all relay nodes, GB. */
  recordLimitGb: env(
    'RECORD_LIMIT',
    whole(0, 1_000_000),
    '20',
    'Space of recordings and films per project, GB. A plan may give more, never less. 0: only plans with their own space record and take films',
  ),
  /** Days from the excess of the space to the removal of the oldest recordings; null: nothing is removed. */
  storageGraceDays: env(
    'STORAGE_GRACE_DAYS',
    z.union([z.literal(''), whole(1, 3650)]),
    '',
    'Days after which the oldest recordings of a project that exceeds its space are deleted until it fits; owners are notified 7 days and 1 day before. Empty: nothing is deleted',
    (days) => (days === '' ? null : days),
  ),
})

type ReadServices = Pick<Services, 'clock' | 'config' | 'db'>
type ReviewServices = ReadServices & Pick<Services, 'log' | 'relay'>

/** Recordings to remove, and the date. */
interface Removal {
  readonly removing_at: string
  readonly files: number
  /** Bytes. */
  readonly size: number
}

/** A notice that leaves less than this moves the date of removal. The job runs every hour. */
const leastNoticeMs = dayMs - 2 * 3_600_000
/** Tolerated excess: the file that was written when the space was used may exceed it. */
const tolerance = 1.01

/** Returns the announced removal of a project; null: nothing is removed. */
export async function removalOf(services: Reading<ReadServices>, projectId: number): Promise<Removal | null> {
  const { db, config } = services
  const row = config.storageGraceDays === null ? undefined : await findRemoval(db, projectId)
  if (!row) return null
  return presented(row, await listExcess(services, db, projectId))
}

const presented = ({ date_remove }: RemovalRow, excess: readonly RecordingRow[]): Removal | null =>
  excess.length === 0
    ? null
    : {
        removing_at: date_remove,
        files: excess.length,
        size: excess.reduce((sum, { bytes }) => sum + Number(bytes), 0),
      }

/** Returns the oldest recordings of a project without which the rest, films included, fits; none while all fit. Films stay. */
async function listExcess(services: Reading<ReadServices>, db: ReadDb, projectId: number): Promise<RecordingRow[]> {
  const space = (await storageGb(services, db, projectId)) * gigabyte * tolerance
  let used = await usedBytes(db, projectId)
  const excess: RecordingRow[] = []
  if (used <= space) return excess
  for (const row of await listFinished(db, projectId)) {
    if (used <= space) break
    used -= Number(row.bytes)
    excess.push(row)
  }
  return excess
}

/**
 * Reviews the projects that may exceed their space: announces removals, notifies owners, removes what is due, and clears
 * removals that more space or fewer files have made needless. Without `STORAGE_GRACE_DAYS` it removes nothing and clears all
 * announcements. Safe on any number of replicas.
 */
export async function reviewStorage(services: ReviewServices): Promise<void> {
  const { db, config, log } = services
  const days = config.storageGraceDays
  if (days === null) return await removeStorageRemovals(db)
  // The space that operators set where plans do not apply may be less than `RECORD_LIMIT`.
  const leastGb = Math.min(config.recordLimitGb, storageGbOf(await getEverythingPlan(db), config))
  for (const projectId of new Set([...(await listLarge(db, leastGb * gigabyte)), ...(await listAnnounced(db))])) {
    try {
      await review(services, projectId, days)
    } catch (error) {
      log.error({ err: error, projectId }, 'The space of recordings could not be reviewed')
    }
  }
}

async function review(services: ReviewServices, projectId: number, days: number): Promise<void> {
  const removed = await projectTransaction(services.db, projectId, (trx) =>
    reviewProject(services, trx, projectId, days),
  )
  if (removed > 0) {
    services.log.info({ projectId, removed }, 'Recordings beyond the space were removed')
    services.relay.clear()
  }
}

/** @returns the number of removed recordings */
async function reviewProject(services: ReviewServices, trx: Trx, projectId: number, days: number): Promise<number> {
  await lockProject(trx, projectId)
  const now = services.clock.now()
  const excess = await listExcess(services, trx, projectId)
  if (excess.length === 0) {
    await removeStorageRemoval(trx, projectId)
    return 0
  }
  const row =
    (await findRemoval(trx, projectId)) ?? (await insertRemoval(trx, projectId, iso(later(now, days * dayMs))))
  if (row.date_day !== null && row.date_remove <= iso(now)) {
    await removeAll(services, trx, excess)
    await removeStorageRemoval(trx, projectId)
    return excess.length
  }
  const change = dueNotice(row, now)
  if (!change) return 0
  await updateRemoval(trx, projectId, change)
  const notice = presented({ ...row, ...change }, excess)
  const details = { ...notice }
  await recordHistory(services, trx, { projectId, userId: null, action: 'storage_notice', details })
  const ref = `${change.date_day ? 'day' : 'week'}.${iso(now)}`
  if (notice) await notify(services, trx, { kind: 'recordings_removal', projectId, ref, params: notice })
  return 0
}

/** Returns what a due notice changes; null: none is due. */
function dueNotice(row: RemovalRow, now: Date): Partial<RemovalRow> | null {
  const date = iso(now)
  const within = (ms: number) => row.date_remove <= iso(later(now, ms))
  if (row.date_day === null && within(dayMs)) {
    const isLate = within(leastNoticeMs)
    return { date_week: row.date_week ?? date, date_day: date, ...(isLate && { date_remove: iso(later(now, dayMs)) }) }
  }
  return row.date_week === null && within(7 * dayMs) ? { date_week: date } : null
}

/** Hides the recordings. Their nodes delete the files when they are connected. */
async function removeAll(services: ReviewServices, trx: Trx, rows: readonly RecordingRow[]): Promise<void> {
  for (const { id, project_id: projectId, broadcast_id, date_create } of rows) {
    await updateRecording(trx, id, { date_delete: iso(services.clock.now()) })
    const details = { broadcast_id, recorded_at: date_create, reason: 'storage' }
    await recordHistory(services, trx, { projectId, userId: null, action: 'recording_removed', details })
  }
}
