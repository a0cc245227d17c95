// Transcoders while a project is on air: what its node shall make, and what it tells about them.
import type { DesiredTranscoder } from '#contract/relay/desired-state.ts'
import type { StoredSample } from '#contract/relay/events.ts'
import type { TranscoderReport } from '#contract/relay/reports.ts'
import type { VideoCodec } from '#contract/entities/transcoder.ts'
import type { Db } from '#server/db/open.ts'
import { findOnAir } from './store.ts'
import type { Ffmpeg } from '#server/domain/ingest/report.ts'
import type { TranscoderRow } from '#server/domain/ingest/transcoders-store.ts'

/** Whether an ffmpeg has HEVC in FLV (Enhanced RTMP), which is how streams go through it: since 6.1. */
export function readsHevc({ version }: Ffmpeg): boolean {
  const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version) ?? []
  // Builds between releases have no such number, and nobody has one that is so old.
  return major === undefined || Number(major) > 6 || (Number(major) === 6 && Number(minor) >= 1)
}

/** Whether an ffmpeg can make streams of a codec. */
export const makes = (ffmpeg: Ffmpeg, codec: VideoCodec): boolean =>
  codec === 'h264' ? ffmpeg.x264 : ffmpeg.x265 && readsHevc(ffmpeg)

/** A transcoder as a node is told of it. */
export const wishOf = (row: TranscoderRow): DesiredTranscoder => ({
  id: row.id,
  codec: row.video_codec,
  preset: row.preset,
  width: row.width,
  height: row.height,
  fps: row.fps,
  videoKbps: row.video_kbps,
  audioKbps: row.audio_kbps,
  rotation: row.rotation,
  bFrames: row.b_frames,
})

/** What the transcoders of a project do now, by their numbers; null when it is not on air. */
export async function transcodersOnAir(
  db: Db,
  projectId: number,
): Promise<{
  readonly since: string
  readonly sourceConnected: boolean
  readonly facts: ReadonlyMap<number, TranscoderReport>
} | null> {
  const onAir = await findOnAir(db, projectId)
  if (!onAir) return null
  const sample = onAir.sample === null ? null : (JSON.parse(onAir.sample) as StoredSample)
  return {
    since: onAir.date_create,
    sourceConnected: onAir.status === 'active',
    facts: new Map(sample?.transcoders?.map((told) => [told.id, told])),
  }
}
