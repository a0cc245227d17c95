// Transcoders of a project over HTTP.
import { type Transcoder, transcoders } from '#contract/areas/ingest/transcoders.ts'
import type { ParsedInput } from '#contract/core/operation.ts'
import { videoCodecs } from '#contract/entities/transcoder.ts'
import { implement } from '#server/core/implement.ts'
import { fileUrl } from '#server/domain/account/pictures.ts'
import { statesOf } from '#server/domain/broadcasts/broadcasts.ts'
import { listAllChannels } from '#server/domain/channels/store.ts'
import { transcodersMax } from '#server/domain/ingest/capacity.ts'
import { listServers } from '#server/domain/ingest/servers.ts'
import { wireStatusOf } from '#server/domain/broadcasts/live-facts.ts'
import { allowedOf } from '#server/domain/ingest/transcoder-limits.ts'
import { allowanceOf } from '#server/domain/tariffs/allowances.ts'
import { makes, transcodersOnAir } from '#server/domain/broadcasts/transcoders-live.ts'
import { listTranscoders, type TranscoderForm, type TranscoderRow } from '#server/domain/ingest/transcoders-store.ts'
import {
  addTranscoder,
  changeTranscoder,
  removeTranscoder,
  resetDelay,
  setTranscoderActive,
} from '#server/domain/ingest/transcoders.ts'

export const transcoderRoutes = implement(transcoders, {
  list: async ({ project_id }, ctx) => {
    const rows = await listTranscoders(ctx.db, project_id)
    const channels = await listAllChannels(ctx.db, project_id)
    const states = await statesOf(ctx.db, project_id)
    const onAir = await transcodersOnAir(ctx.db, project_id)
    const { servers } = await listServers(ctx)
    const able = servers.flatMap(({ isStale, ffmpeg }) => (isStale || !ffmpeg ? [] : [ffmpeg]))
    const codecs = videoCodecs.filter((codec) => able.some((ffmpeg) => makes(ffmpeg, codec)))
    const attachedTo = (row: TranscoderRow): Transcoder['channels'] =>
      channels
        .filter(({ transcoder_id }) => transcoder_id === row.id)
        .map(({ id, name, type, active, photo, user_id }) => {
          const status = wireStatusOf(states.get(id) ?? 'stopped')
          return {
            group_id: id,
            name,
            type,
            active: active === 1,
            photo_default: fileUrl(ctx.origin, photo),
            live: status === 'live' ? 1 : 0,
            status,
            user_id,
            transcoderId: row.id,
          }
        })
    const allowed = allowedOf(rows, await allowanceOf(ctx, ctx.db, project_id, 'transcoding'))
    const results = rows.map((row): Transcoder => {
      const attached = attachedTo(row)
      return {
        ...presentForm(row),
        channels: attached,
        state: onAir && stateOf(onAir, row, attached, allowed.includes(row)),
      }
    })
    return {
      results,
      limit: await transcodersMax(ctx, ctx.db),
      codecs,
      reason: codecs.length > 0 ? null : servers.length === 0 ? 'no_servers' : 'no_ffmpeg',
    }
  },

  add: async ({ project_id, name, mode = 'custom', channelIds, ...form }, ctx) => {
    const made = formOf(form, { name, mode, video_codec: 'h264', preset: 'veryfast', delay_seconds: 0 })
    return addTranscoder(ctx, { projectId: project_id, userId: ctx.user.id }, made, listed(channelIds))
  },

  update: async ({ project_id, transcoder_id, name, channelIds, ...form }, ctx) => {
    const by = { projectId: project_id, userId: ctx.user.id }
    const whole = (row: TranscoderRow) => formOf(form, { ...row, name: name ?? row.name })
    await changeTranscoder(ctx, by, transcoder_id, whole, listed(channelIds))
    return { success: true }
  },

  remove: async ({ project_id, transcoder_id }, ctx) => {
    await removeTranscoder(ctx, { projectId: project_id, userId: ctx.user.id }, transcoder_id)
    return { success: true }
  },

  stop: async ({ project_id, transcoder_id }, ctx) => {
    await setTranscoderActive(ctx, { projectId: project_id, userId: ctx.user.id }, transcoder_id, 0)
    return { success: true }
  },

  start: async ({ project_id, transcoder_id }, ctx) => {
    await setTranscoderActive(ctx, { projectId: project_id, userId: ctx.user.id }, transcoder_id, 1)
    return { success: true }
  },

  resetDelay: async ({ project_id, transcoder_id }, ctx) => {
    await resetDelay(ctx, { projectId: project_id, userId: ctx.user.id }, transcoder_id)
    return { success: true }
  },
})

type Sent = Omit<ParsedInput<typeof transcoders.update>, 'project_id' | 'transcoder_id' | 'name'>

/** The earlier snapshot has one number instead of a list. */
const listed = (ids: Sent['channelIds']): readonly number[] | undefined => (typeof ids === 'number' ? [ids] : ids)

/** The picture as sent; codec, delay and preset stay where they are left out. */
const formOf = (
  { videoCodec, preset, delay, vBitrate, aBitrate, bFrames, width, height, fps, rotation }: Sent,
  known: Pick<TranscoderForm, 'name' | 'mode' | 'video_codec' | 'preset' | 'delay_seconds'>,
): TranscoderForm => ({
  name: known.name,
  mode: known.mode,
  video_codec: videoCodec ?? known.video_codec,
  preset: preset ?? known.preset,
  width: width ?? null,
  height: height ?? null,
  fps: fps ?? null,
  video_kbps: vBitrate ?? null,
  audio_kbps: aBitrate ?? null,
  rotation: rotation ?? null,
  b_frames: bFrames ?? null,
  delay_seconds: delay ?? known.delay_seconds,
})

const presentForm = (row: TranscoderRow): Omit<Transcoder, 'channels' | 'state'> => ({
  id: row.id,
  name: row.name,
  createdAt: row.date_create,
  ...present({
    fps: row.fps,
    vBitrate: row.video_kbps,
    aBitrate: row.audio_kbps,
    width: row.width,
    height: row.height,
    rotation: row.rotation,
    bFrames: row.b_frames,
  }),
  status: row.active === 1 ? 'active' : 'inactive',
  videoCodec: row.video_codec,
  delay: row.delay_seconds,
  preset: row.preset,
  mode: row.mode,
})

/** Without what stays as it comes in. */
const present = <K extends string>(values: Readonly<Record<K, number | null>>): Partial<Record<K, number>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Partial<Record<K, number>>

type OnAir = NonNullable<Awaited<ReturnType<typeof transcodersOnAir>>>

/** State of transcoders, as last reported by the node on air. */
function stateOf(
  { since, sourceConnected, facts }: OnAir,
  row: TranscoderRow,
  attached: Transcoder['channels'],
  isAllowed: boolean,
) {
  const reported = facts.get(row.id)
  return {
    status: row.active === 1 ? ('active' as const) : ('inactive' as const),
    bitrate: reported?.kbps ?? 0,
    // The output is also late by the chosen delay.
    delay: reported ? row.delay_seconds + Math.round(reported.lagMs / 100) / 10 : 0,
    start_at: reported ? new Date(reported.since).toISOString() : since,
    source_connected: sourceConnected,
    transcoder_running: reported?.running ?? false,
    target_connected: attached.some(({ live }) => live === 1),
    restarts: reported?.restarts ?? 0,
    ...(reported?.running && reported.onCard !== undefined && { on_card: reported.onCard }),
    reason: row.active === 1 && !isAllowed ? ('plan' as const) : (reported?.reason ?? null),
  }
}
