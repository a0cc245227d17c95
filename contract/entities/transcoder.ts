// Transcoder settings, and reasons why a transcoder does not run.
import * as z from 'zod/mini'

/** Video codecs. */
export const videoCodecs = ['h264', 'hevc'] as const
export const VideoCodec = z.enum(videoCodecs)
export type VideoCodec = z.output<typeof VideoCodec>

/** Modes. `twitch`: missing values become Twitch's recommendations, and unsupported values are refused. */
export const TranscoderMode = z.enum(['custom', 'twitch'])
export type TranscoderMode = z.output<typeof TranscoderMode>

/** Encoder presets, fastest first; slower ones do not keep up with a live stream on usual machines. */
export const presets = ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium'] as const
export type Preset = (typeof presets)[number]

/** Minimum and maximum of each number. Bitrates in kbps, delay in seconds. */
export const transcoderLimits = {
  width: { min: 100, max: 4000 },
  height: { min: 100, max: 4000 },
  fps: { min: 5, max: 60 },
  vBitrate: { min: 100, max: 100_000 },
  aBitrate: { min: 60, max: 1000 },
  rotation: { min: 1, max: 2 },
  bFrames: { min: 0, max: 3 },
  delay: { min: 0, max: 1200 },
} as const

/** Reason why transcoders are unavailable: no server has reported, or none of them has ffmpeg. */
export const noTranscoding = ['no_servers', 'no_ffmpeg'] as const
export const NoTranscoding = z.enum(noTranscoding)
export type NoTranscoding = z.output<typeof NoTranscoding>

/**
 * Reason why a transcoder does not run while the project is on air: no ffmpeg on that server · its ffmpeg lacks the
 * codec · the server's transcoder limit is reached · the program ended and is being restarted · the plan
 * does not allow it.
 */
export const transcoderTroubles = ['no_ffmpeg', 'no_codec', 'no_slot', 'crashed', 'plan'] as const
export const TranscoderTrouble = z.enum(transcoderTroubles)
export type TranscoderTrouble = z.output<typeof TranscoderTrouble>
