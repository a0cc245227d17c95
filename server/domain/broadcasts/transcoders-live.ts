// Transcoders while a project is on air: desired state for its node, and reports of the node.
import type { DesiredTranscoder } from '#contract/relay/desired-state.ts'
import type { TranscoderReport } from '#contract/relay/reports.ts'
import type { VideoCodec } from '#contract/entities/transcoder.ts'
import type { Db } from '#server/db/open.ts'
import { sampleOf } from './records.ts'
import { findOnAir } from './store.ts'
import type { Ffmpeg } from '#server/domain/ingest/report.ts'
import type { TranscoderRow } from '#server/domain/ingest/transcoders-store.ts'

/** Returns whether an ffmpeg supports HEVC in FLV (Enhanced RTMP), the container between node and ffmpeg: since 6.1. */
export function readsHevc({ version }: Ffmpeg): boolean {
  const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version) ?? []
  // Development builds have no such number, and are assumed to be newer than 6.1.
  return major === undefined || Number(major) > 6 || (Number(major) === 6 && Number(minor) >= 1)
}

/** Returns the encoder of a graphics card for a codec, such as `h264_nvenc`; null without one. */
export const cardEncoderOf = ({ cards = [] }: Ffmpeg, codec: VideoCodec): string | null =>
  cards.find((name) => name.startsWith(`${codec}_`)) ?? null

/** Returns whether an ffmpeg can encode a codec with the processor. */
export const makesInSoftware = ({ x264, x265 }: Ffmpeg, codec: VideoCodec): boolean => (codec === 'h264' ? x264 : x265)

/** Returns whether an ffmpeg can encode a codec. */
export const makes = (ffmpeg: Ffmpeg, codec: VideoCodec): boolean =>
  (makesInSoftware(ffmpeg, codec) || cardEncoderOf(ffmpeg, codec) !== null) && (codec === 'h264' || readsHevc(ffmpeg))

/** Returns the desired state of a transcoder. */
export const desiredTranscoderOf = (row: TranscoderRow): DesiredTranscoder => ({
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

/** Returns the reports of a project's transcoders, by id; null when the project is not on air. */
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
  return {
    since: onAir.date_create,
    sourceConnected: onAir.status === 'active',
    facts: new Map(sampleOf(onAir)?.transcoders?.map((reported) => [reported.id, reported])),
  }
}
