// Transcoders: other renditions of a project's stream. The settings limit their number.
import { transcoderLimits } from '#contract/entities/transcoder.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { ForbiddenError, RuleError } from '#server/core/errors.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { getChannel } from '#server/domain/channels/channels.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import {
  updateTranscoderChannels,
  findTranscoder,
  insertTranscoder,
  listTranscoders,
  removeTranscoderRow,
  type TranscoderForm,
  type TranscoderRow,
  updateTranscoder,
} from './transcoders-store.ts'
import { transcodersMax } from './capacity.ts'
import { refuseOverTranscoding } from './transcoder-limits.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'

/** The changed project, and the user that changes it. */
interface Change {
  readonly projectId: number
  readonly userId: number
}

/** Limits and recommendations of Twitch's broadcasting guidelines, kbps and pixels. */
const twitch = { kbps: 6000, audioKbps: 160, width: 1920, height: 1080, fps: 60, bFrames: 2 } as const

/** Returns a transcoder of a project. @throws ForbiddenError for one of another project */
export async function getTranscoder(db: ReadDb, projectId: number, id: number): Promise<TranscoderRow> {
  const row = await findTranscoder(db, projectId, id)
  if (!row) throw new ForbiddenError()
  return row
}

/**
 * Adds a transcoder. It runs while the project is on air and one of its channels is switched on.
 * @param channelIds channels that receive its output
 * @returns its id
 * @throws RuleError `TooManyTranscoders` · `PlanLimitReached` · `TwitchLimit` · ForbiddenError for a channel that the project may not edit
 */
export function addTranscoder(
  services: Services,
  by: Change,
  form: TranscoderForm,
  channelIds: readonly number[] = [],
): Promise<number> {
  const fitted = fit(form)
  return projectTransaction(services.db, by.projectId, async (trx) => {
    await lockProject(trx, by.projectId)
    const max = await transcodersMax(services, trx)
    const rows = await listTranscoders(trx, by.projectId)
    if (rows.length >= max) throw new RuleError('TooManyTranscoders', { max })
    const count = activeIn(rows) + 1
    await refuseOverTranscoding(services, trx, by.projectId, { count, output: fitted })
    const row = { ...fitted, project_id: by.projectId, active: 1 as const, date_create: iso(services.clock.now()) }
    const id = await insertTranscoder(trx, row)
    await attach(trx, { id, project_id: by.projectId }, channelIds)
    const details = { name: form.name, channels: channelIds }
    await recordHistory(services, trx, { ...by, action: 'transcoder_created', details })
    return id
  })
}

/**
 * Changes a transcoder. A running one restarts if its output changes; its channels stay connected.
 * @param form returns the complete new settings
 * @param channelIds left out: unchanged
 * @throws RuleError `PlanLimitReached` · `TwitchLimit` · ForbiddenError for a transcoder or a channel that the project may not edit
 */
export function changeTranscoder(
  services: Services,
  by: Change,
  id: number,
  form: (row: TranscoderRow) => TranscoderForm,
  channelIds?: readonly number[],
): Promise<void> {
  return change(services, by, id, 'transcoder_changed', async (trx, row) => {
    const changed = fit(form(row))
    // The number does not change: a plan that allows fewer does not hinder a rename.
    if (row.active === 1) await refuseOverTranscoding(services, trx, by.projectId, { count: 1, output: changed })
    await updateTranscoder(trx, id, changed)
    if (channelIds) await attach(trx, row, channelIds)
  })
}

/** Removes a transcoder: its channels receive the original stream. @throws ForbiddenError */
export const removeTranscoder = (services: Services, by: Change, id: number): Promise<void> =>
  change(services, by, id, 'transcoder_removed', removeTranscoderRow)

/**
 * Stops or starts a transcoder. While it is stopped, its channels receive nothing.
 * @throws ForbiddenError · RuleError `PlanLimitReached`
 */
export const setTranscoderActive = (services: Services, by: Change, id: number, active: 0 | 1): Promise<void> =>
  change(services, by, id, active ? 'transcoder_started' : 'transcoder_stopped', async (trx, row) => {
    const others = (await listTranscoders(trx, by.projectId)).filter((one) => one.id !== id)
    const count = activeIn(others) + 1
    if (active) await refuseOverTranscoding(services, trx, by.projectId, { count, output: row })
    await updateTranscoder(trx, id, { active })
  })

const activeIn = (rows: readonly TranscoderRow[]): number => rows.filter(({ active }) => active === 1).length

/** Removes the delay of a transcoder, and drops what is queued. @throws ForbiddenError */
export const resetDelay = (services: Services, by: Change, id: number): Promise<void> =>
  change(services, by, id, 'transcoder_changed', (trx) => updateTranscoder(trx, id, { delay_seconds: 0 }))

const change = (
  services: Services,
  by: Change,
  id: number,
  action: 'transcoder_changed' | 'transcoder_removed' | 'transcoder_started' | 'transcoder_stopped',
  apply: (trx: Trx, row: TranscoderRow) => Promise<void>,
): Promise<void> =>
  projectTransaction(services.db, by.projectId, async (trx) => {
    await lockProject(trx, by.projectId)
    const row = await getTranscoder(trx, by.projectId, id)
    await apply(trx, row)
    await recordHistory(services, trx, { ...by, action, details: { name: row.name } })
  })

async function attach(
  trx: Trx,
  transcoder: Pick<TranscoderRow, 'id' | 'project_id'>,
  channelIds: readonly number[],
): Promise<void> {
  for (const channelId of channelIds) await getChannel(trx, { projectId: transcoder.project_id, channelId }, 'editor')
  await updateTranscoderChannels(trx, transcoder, channelIds)
}

/** Fills in the defaults of the Twitch mode, and refuses values above its limits. */
function fit(form: TranscoderForm): TranscoderForm {
  if (form.mode !== 'twitch') return form
  const complete = {
    ...form,
    video_kbps: form.video_kbps ?? twitch.kbps,
    audio_kbps: form.audio_kbps ?? twitch.audioKbps,
    b_frames: form.b_frames ?? twitch.bFrames,
  }
  const limited = [
    ['vBitrate', complete.video_kbps, twitch.kbps],
    ['width', form.width, twitch.width],
    ['height', form.height, twitch.height],
    ['fps', form.fps, Math.min(twitch.fps, transcoderLimits.fps.max)],
    ['bFrames', complete.b_frames, twitch.bFrames],
  ] as const
  for (const [limit, value, max] of limited)
    if (value !== null && value > max) throw new RuleError('TwitchLimit', { limit, max })
  if (form.video_codec !== 'h264') throw new RuleError('TwitchLimit', { limit: 'videoCodec', max: 'h264' })
  return complete
}
