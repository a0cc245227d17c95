// Form state of a transcoder as text, with validation and conversion to the request.
import type { Transcoder, transcoders } from '#contract/areas/ingest/transcoders.ts'
import type { Input } from '#contract/core/operation.ts'
import { type Preset, type TranscoderMode, type VideoCodec } from '#contract/entities/transcoder.ts'

/** Preset sizes; other sizes are custom. */
export const sizes = ['1920x1080', '1280x720', '854x480', '640x360', '1080x1920', '720x1280'] as const

/** Fields with an optional number. */
export const numbers = ['width', 'height', 'fps', 'vBitrate', 'aBitrate', 'delay'] as const
export type NumberName = (typeof numbers)[number]

export interface Draft extends Readonly<Record<NumberName, string>> {
  readonly name: string
  readonly mode: TranscoderMode
  readonly videoCodec: VideoCodec
  /** Empty: size of the source. `other`: custom width and height. */
  readonly size: string
  /** Empty: no rotation. */
  readonly rotation: string
  /** Empty: default of the encoder. */
  readonly bFrames: string
  readonly preset: Preset
  readonly channelIds: readonly number[]
}

const text = (value: number | undefined): string => (value === undefined ? '' : String(value))

type Known = Pick<
  Transcoder,
  'name' | 'mode' | 'videoCodec' | 'preset' | 'channels' | 'rotation' | 'bFrames' | NumberName
>

/** Defaults of a new transcoder. */
const usual: Known = {
  name: '',
  mode: 'custom',
  videoCodec: 'h264',
  width: 1280,
  height: 720,
  fps: 30,
  vBitrate: 3000,
  delay: 0,
  preset: 'veryfast',
  channels: [],
}

/** Initial form values: the given transcoder, or the defaults. */
export function draftOf(known: Known | null): Draft {
  const { name, mode, videoCodec, width, height, delay, preset, channels, ...rest } = known ?? usual
  const size = `${text(width)}x${text(height)}`
  return {
    name,
    mode,
    videoCodec,
    size: size === 'x' ? '' : sizes.some((one) => one === size) ? size : 'other',
    width: text(width),
    height: text(height),
    fps: text(rest.fps),
    vBitrate: text(rest.vBitrate),
    aBitrate: text(rest.aBitrate),
    delay: delay > 0 ? String(delay) : '',
    rotation: text(rest.rotation),
    bFrames: text(rest.bFrames),
    preset: preset as Preset,
    channelIds: channels.map(({ group_id }) => group_id),
  }
}

/** Parses a number field; undefined for an empty field, NaN for invalid input. */
const numberOf = (value: string): number | undefined =>
  value.trim() === '' ? undefined : /^\d{1,6}$/.test(value.trim()) ? Number(value) : Number.NaN

/** Request input from the form. */
export function formOf(draft: Draft): Omit<Input<typeof transcoders.add>, 'project_id' | 'mode'> {
  const [width, height] = draft.size === 'other' ? [draft.width, draft.height] : draft.size.split('x')
  const given = {
    width: numberOf(width ?? ''),
    height: numberOf(height ?? ''),
    fps: numberOf(draft.fps),
    vBitrate: numberOf(draft.vBitrate),
    aBitrate: numberOf(draft.aBitrate),
    rotation: numberOf(draft.rotation),
    bFrames: numberOf(draft.bFrames),
  }
  return {
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as typeof given),
    name: draft.name.trim(),
    videoCodec: draft.videoCodec,
    preset: draft.preset,
    delay: numberOf(draft.delay) ?? 0,
    channelIds: [...draft.channelIds],
  }
}
