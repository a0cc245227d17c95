// Arguments of ffmpeg for a transcoder: FLV in, FLV out, low latency.
import type { DesiredTranscoder } from '#contract/relay/desired-state.ts'

/** Seconds between keyframes, as platforms require. */
const keyframeSeconds = 2
/** Constant quality without a bitrate setting, on the CRF scale of x264; lower is better. */
const quality = 21

/** @example keep({ args: transcodeArguments(desired) }) */
export function transcodeArguments(desired: DesiredTranscoder): string[] {
  const filters = pictureFilters(desired)
  const picture = filters === '' ? '' : ` -vf ${filters}`
  const frames = desired.bFrames === null ? '' : ` -bf ${desired.bFrames}`
  const sound = desired.audioKbps === null ? '-c:a copy' : `-c:a aac -b:a ${desired.audioKbps}k -ar 48000`
  // No value contains a space: all are numbers and enum values of the contract.
  return [
    '-hide_banner -loglevel error -nostats',
    // Keeps the timestamps, by which the latency is measured.
    '-copyts -analyzeduration 1M -thread_type slice -f flv -i pipe:0',
    `-map 0:v:0? -map 0:a:0?${picture}`,
    `${encoders[desired.codec]} -preset ${desired.preset} -tune zerolatency -pix_fmt yuv420p ${rateOf(desired.videoKbps)}${frames}`,
    // By time instead of frames: a stream may have any frame rate, and lose frames.
    '-g 600 -sc_threshold 0 -forced-idr 1',
    `-force_key_frames expr:if(isnan(prev_forced_t),1,gte(t,prev_forced_t+${keyframeSeconds}))`,
    `${sound} -f flv -flvflags no_duration_filesize -flush_packets 1 pipe:1`,
  ].flatMap((part) => part.split(' '))
}

const encoders = { h264: '-c:v libx264', hevc: '-c:v libx265 -tag:v hvc1' } as const

/** One second of buffer, which evens out bitrate peaks. */
const rateOf = (kbps: number | null): string =>
  kbps === null ? `-crf ${quality}` : `-b:v ${kbps}k -maxrate ${kbps}k -bufsize ${kbps}k`

/** Rotates first, then scales: another aspect ratio gets bars and is never stretched. */
function pictureFilters({ rotation, width, height, fps }: DesiredTranscoder): string {
  const filters: string[] = []
  if (rotation !== null) filters.push(`transpose=${rotation}`)
  const [w, h] = [even(width), even(height)]
  if (w !== null && h !== null)
    filters.push(
      `scale=${w}:${h}:force_original_aspect_ratio=decrease:force_divisible_by=2`,
      `pad=${w}:${h}:(ow-iw)/2:(oh-ih)/2`,
      'setsar=1',
    )
  else if (w !== null || h !== null) filters.push(`scale=${w ?? -2}:${h ?? -2}`)
  if (fps !== null) filters.push(`fps=${fps}`)
  return filters.join(',')
}

/** Encoders subsample chroma, so both dimensions are even. */
const even = (size: number | null): number | null => (size === null ? null : size - (size % 2))
