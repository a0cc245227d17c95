// What a transcoder can make, and why one may not run.
import * as z from 'zod/mini'

/** Codecs of the picture. */
export const videoCodecs = ['h264', 'hevc'] as const
export const VideoCodec = z.enum(videoCodecs)
export type VideoCodec = z.output<typeof VideoCodec>

/** `twitch`: what is left out becomes what Twitch recommends, and what it does not take is refused. */
export const TranscoderMode = z.enum(['custom', 'twitch'])
export type TranscoderMode = z.output<typeof TranscoderMode>

/** Effort of the encoder, from the least on; anything slower does not keep up with a stream on usual machines. */
export const presets = ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium'] as const
export type Preset = (typeof presets)[number]

/** Least and most of each number. Bitrates in kbps, delay in seconds. */
export const transcoderLimits = {
  width: { min: 100, max: 4000 },
  height: { min: 100, max: 4000 },
  fps: { min: 5, max: 60 },
  vBitrate: { min: 1000, max: 100_000 },
  aBitrate: { min: 60, max: 1000 },
  rotation: { min: 1, max: 2 },
  bFrames: { min: 0, max: 3 },
  delay: { min: 0, max: 1200 },
} as const

/** Why there are no transcoders: no server has reported, or none of them has ffmpeg. */
export const noTranscoding = ['no_servers', 'no_ffmpeg'] as const
export const NoTranscoding = z.enum(noTranscoding)
export type NoTranscoding = z.output<typeof NoTranscoding>

/**
 * Why a transcoder does not run while the project is on air: no ffmpeg on that server · its ffmpeg lacks the codec ·
 * as many as the server may run are running · the program ended and is started again.
 */
export const transcoderTroubles = ['no_ffmpeg', 'no_codec', 'no_slot', 'crashed'] as const
export const TranscoderTrouble = z.enum(transcoderTroubles)
export type TranscoderTrouble = z.output<typeof TranscoderTrouble>
