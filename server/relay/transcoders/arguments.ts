// Arguments of ffmpeg for a transcoder: FLV in, FLV out, low latency.
import type { DesiredTranscoder } from '#contract/relay/desired-state.ts'
import { type CardFamily, openCard, uploadFilter } from '#server/relay/programs/cards.ts'

/** Seconds between keyframes, as platforms require. */
const keyframeSeconds = 2
/** Constant quality without a bitrate setting, on the CRF scale of x264; lower is better. */
const quality = 21
/** The same on the scales of graphics cards. */
const cardQuality = 24

/**
 * @param card family of the graphics card that encodes; null: the processor
 * @example keep({ args: transcodeArguments(desired, null) })
 */
export function transcodeArguments(desired: DesiredTranscoder, card: CardFamily | null): string[] {
  const filters = [pictureFilters(desired), card === null ? '' : uploadFilter(card)].filter((one) => one !== '')
  const picture = filters.length === 0 ? '' : ` -vf ${filters.join(',')}`
  const sound = desired.audioKbps === null ? '-c:a copy' : `-c:a aac -b:a ${desired.audioKbps}k -ar 48000`
  // No value contains a space: all are numbers and enum values of the contract.
  return [
    ['-hide_banner -loglevel error -nostats', ...(card === null ? [] : openCard(card))].join(' '),
    // Keeps the timestamps, by which the latency is measured.
    '-copyts -analyzeduration 1M -thread_type slice -f flv -i pipe:0',
    `-map 0:v:0? -map 0:a:0?${picture}`,
    card === null ? inSoftware(desired) : onCard(desired, card),
    // By time instead of frames: a stream may have any frame rate, and lose frames.
    '-g 600',
    `-force_key_frames expr:if(isnan(prev_forced_t),1,gte(t,prev_forced_t+${keyframeSeconds}))`,
    `${sound} -f flv -flvflags no_duration_filesize -flush_packets 1 pipe:1`,
  ].flatMap((part) => part.split(' '))
}

const encoders = { h264: '-c:v libx264', hevc: '-c:v libx265 -tag:v hvc1' } as const

function inSoftware({ codec, preset, videoKbps, bFrames }: DesiredTranscoder): string {
  const frames = bFrames === null ? '' : ` -bf ${bFrames}`
  return `${encoders[codec]} -preset ${preset} -tune zerolatency -pix_fmt yuv420p ${rateOf(videoKbps)}${frames} -sc_threshold 0 -forced-idr 1`
}

/** Arguments of each family: low latency, no B-frames, forced keyframes that players can begin with. */
const families: Readonly<Record<CardFamily, { readonly always: string; readonly quality: string }>> = {
  nvenc: {
    always: '-preset p4 -tune ll -pix_fmt yuv420p -no-scenecut 1 -forced-idr 1',
    quality: `-rc vbr -cq ${cardQuality}`,
  },
  qsv: { always: '-preset veryfast -pix_fmt nv12 -forced_idr 1', quality: `-global_quality ${cardQuality}` },
  vaapi: { always: '', quality: `-rc_mode CQP -qp ${cardQuality}` },
}

function onCard({ codec, videoKbps }: DesiredTranscoder, card: CardFamily): string {
  const { always, quality: constant } = families[card]
  const tag = codec === 'hevc' ? '-tag:v hvc1' : ''
  const cbr = card === 'nvenc' ? '-rc cbr' : card === 'vaapi' ? '-rc_mode CBR' : ''
  const rate = videoKbps === null ? constant : `${cbr} -b:v ${videoKbps}k -maxrate ${videoKbps}k -bufsize ${videoKbps}k`
  return [`-c:v ${codec}_${card}`, tag, always, '-bf 0', rate.trim()].filter((one) => one !== '').join(' ')
}

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
