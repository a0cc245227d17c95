// The stream key of a project. The relay finds the project by it; editors read and replace it.
import type { MediaUse } from '#contract/entities/media.ts'
import type { QualityRule } from '#contract/relay/desired-state.ts'
import type { HistoryChange } from '#contract/entities/history.ts'
import { iso } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { scheduleJob } from '#server/db/jobs.ts'
import { transaction } from '#server/db/transaction.ts'
import { isFound, newStreamKey, secretKind } from '#server/core/found-secrets.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { limitsOf, refuseOverLimit } from '#server/domain/tariffs/plan-limits.ts'
import { findRemoteSource, remoteSourceKind } from './remote-sources-store.ts'
import {
  insertStreamKey,
  findStreamKey,
  findStreamKeyByHash,
  findStreamKeyByReplacedHash,
  type StreamKeyRow,
  updateStreamKey,
} from './stream-keys-store.ts'

const secrets = secretKind('stream key')

/** The changed project, and the user that changes it. */
interface Change {
  readonly projectId: number
  readonly userId: number
}

const firstWaitMinutes = 1

/** The stream key of a project and its settings. */
export interface StreamKeyState {
  readonly key: string
  readonly isRecorded: boolean
  readonly waitMinutes: number
  /** The channels wait also after the encoder ended the stream itself. */
  readonly isHeld: boolean
  readonly waitMaxMinutes: number
  /** Media files that are shown while the encoder is lost, and in a pause; null: none. */
  readonly media: Readonly<Record<MediaUse, number | null>>
  /** When a poor main encoder gives way to the backup; null: never. */
  readonly quality: QualityRule | null
}

/** Reads the stream key of a project, and creates it on the first call. */
export async function readStreamKey(services: Services, projectId: number): Promise<StreamKeyState> {
  const { db } = services
  const row = (await findStreamKey(db, projectId)) ?? (await transaction(db, (trx) => ensure(services, trx, projectId)))
  const { waitMaxMinutes } = await limitsOf(services, db, projectId)
  return {
    key: secrets.show(services, row),
    ...settingsOf(row, waitMaxMinutes),
    waitMaxMinutes,
    media: { lost: row.lost_media_id, pause: row.pause_media_id },
    quality: qualityOf(row),
  }
}

/** Replaces the stream key. The old one is refused immediately. @returns the new one */
export async function rotateStreamKey(services: Services, by: Change): Promise<string> {
  const key = newStreamKey()
  const values = { ...secrets.store(services, key), date_rotate: iso(services.clock.now()) }
  await change(services, by, { action: 'stream_key_rotated' }, ({ key_hash }) => ({
    ...values,
    replaced_hash: key_hash,
  }))
  return key
}

/** Switches recording on or off. */
export const setRecord = (services: Services, by: Change, isRecorded: boolean): Promise<void> =>
  change(
    services,
    by,
    { action: isRecorded ? 'stream_record_on' : 'stream_record_off' },
    { record: isRecorded ? 1 : 0 },
  )

/**
 * Sets how long channels wait for a lost encoder.
 * @param wait `isHeld`: also after the encoder ended the stream itself
 * @throws RuleError `PlanLimitReached`
 */
export async function setWait(
  services: Services,
  by: Change,
  { minutes, isHeld }: { readonly minutes: number; readonly isHeld: boolean },
): Promise<void> {
  await refuseOverLimit(services, services.db, by.projectId, 'wait_minutes', minutes)
  const values = { wait_minutes: minutes, hold: isHeld ? (1 as const) : (0 as const) }
  await change(services, by, { action: 'stream_wait', details: { minutes } }, values)
}

/** Sets when a poor main encoder gives way to the backup. @param quality null: never */
export const setQuality = (services: Services, by: Change, quality: QualityRule | null): Promise<void> =>
  change(
    services,
    by,
    { action: 'stream_quality', details: { kbps: quality?.kbps ?? null } },
    { quality: quality && JSON.stringify(quality) },
  )

/** Sets the media file for a pause, or for a lost encoder. @param choice `id` null: none; `name` of the file, for the history */
export const setMedia = (
  services: Services,
  trx: Trx,
  by: Change,
  { use, id, name }: { readonly use: MediaUse; readonly id: number | null; readonly name: string },
): Promise<void> =>
  changeIn(
    services,
    trx,
    by,
    { action: use === 'lost' ? 'stream_lost_picture' : 'stream_pause_picture', details: { name } },
    use === 'lost' ? { lost_media_id: id } : { pause_media_id: id },
  )

/** Updates the stream key of a project, and adds the change to its history. */
const change = (services: Services, by: Change, entry: HistoryChange, values: Changed): Promise<void> =>
  transaction(services.db, (trx) => changeIn(services, trx, by, entry, values))

type Changed = Partial<StreamKeyRow> | ((row: StreamKeyRow) => Partial<StreamKeyRow>)

async function changeIn(services: Services, trx: Trx, by: Change, entry: HistoryChange, values: Changed) {
  const row = await ensure(services, trx, by.projectId)
  await updateStreamKey(trx, by.projectId, typeof values === 'function' ? values(row) : values)
  // The node of a remote source needs the new key.
  if (entry.action === 'stream_key_rotated' && (await findRemoteSource(trx, by.projectId)))
    await scheduleJob(trx, remoteSourceKind, by.projectId)
  await recordHistory(services, trx, { ...by, ...entry })
}

/** Returns the project of a stream key, with its settings; null for an unknown or replaced key. */
export async function findProjectByStreamKey(
  services: Reading<Pick<Services, 'db' | 'clock' | 'config'>>,
  key: string,
): Promise<
  ({ readonly projectId: number } & Omit<StreamKeyState, 'key' | 'waitMaxMinutes' | 'media' | 'quality'>) | null
> {
  const hash = secrets.hashOf(services, key)
  const row = await findStreamKeyByHash(services.db, hash)
  if (!isFound(row, hash)) return null
  const { waitMaxMinutes } = await limitsOf(services, services.db, row.project_id)
  return { projectId: row.project_id, ...settingsOf(row, waitMaxMinutes) }
}

/** Returns the project whose last replaced stream key this is; null for any other key. */
export async function findProjectByReplacedKey(
  services: Reading<Pick<Services, 'db' | 'config'>>,
  key: string,
): Promise<number | null> {
  const row = await findStreamKeyByReplacedHash(services.db, secrets.hashOf(services, key))
  return row?.project_id ?? null
}

/** Returns the stream key of a project; null before it is created. */
export async function streamKeyOf(
  services: Reading<Pick<Services, 'db' | 'config'>>,
  projectId: number,
): Promise<string | null> {
  const row = await findStreamKey(services.db, projectId)
  return row ? secrets.show(services, row) : null
}

/** Returns the settings that a broadcast on air depends on. `keyMark` changes when the key is replaced. */
export async function streamKeyOnAir(
  db: ReadDb,
  projectId: number,
): Promise<{
  readonly keyMark: string
  readonly waitMinutes: number
  /** Time that a stream is held which the encoder ended itself. */
  readonly holdMinutes: number
  readonly isRecorded: boolean
  readonly quality: QualityRule | null
}> {
  const row = await findStreamKey(db, projectId)
  const waitMinutes = row?.wait_minutes ?? firstWaitMinutes
  return {
    keyMark: row?.key_hash ?? '',
    waitMinutes,
    holdMinutes: row?.hold === 1 ? waitMinutes : 0,
    isRecorded: row?.record === 1,
    quality: row ? qualityOf(row) : null,
  }
}

const qualityOf = ({ quality }: Pick<StreamKeyRow, 'quality'>): QualityRule | null =>
  quality === null ? null : (JSON.parse(quality) as QualityRule)

/** Limits the wait to what the plan allows. The stored choice applies again under a larger plan. */
const settingsOf = (row: Pick<StreamKeyRow, 'record' | 'wait_minutes' | 'hold'>, waitMaxMinutes: number) => ({
  isRecorded: row.record === 1,
  isHeld: row.hold === 1,
  waitMinutes: Math.min(row.wait_minutes, waitMaxMinutes),
})

/** Returns the stream key of a project, and creates it if there is none. */
const ensure = (services: Services, trx: Trx, projectId: number): Promise<StreamKeyRow> =>
  insertStreamKey(trx, {
    project_id: projectId,
    ...secrets.store(services, newStreamKey()),
    record: 0,
    wait_minutes: firstWaitMinutes,
    date_rotate: iso(services.clock.now()),
  })
