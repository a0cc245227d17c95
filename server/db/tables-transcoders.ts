// Table of transcoders.
import type { Generated } from 'kysely'
import type { Preset, TranscoderMode, VideoCodec } from '#contract/entities/transcoder.ts'

export interface TranscoderTables {
  /** A transcoder of a project. Null: as in the incoming stream. */
  transcoders: {
    id: Generated<number>
    project_id: number
    name: string
    mode: TranscoderMode
    /** 0: stopped. */
    active: 0 | 1
    video_codec: VideoCodec
    preset: Preset
    width: number | null
    height: number | null
    fps: number | null
    video_kbps: number | null
    audio_kbps: number | null
    /** 1: a quarter turn to the right, 2: to the left. */
    rotation: number | null
    b_frames: number | null
    delay_seconds: number
    date_create: string
  }
}
