// Options and samples of a project on air.
import type { RelayEvent, SampleEvent } from '#contract/relay/events.ts'
import type { DestinationOptions } from './destinations/destination-options.ts'
import type { Egress } from './egress.ts'
import type { BitrateTiming } from './media/bitrate-limit.ts'
import { openPrograms } from './programs/programs.ts'
import type { SlateShelf } from './sources/slates.ts'
import { slots } from './transcoders/slots.ts'
import type { TranscoderTools } from './transcoders/transcoder.ts'

/** One second of a project on air, with all optional reports. */
export type LiveSample = Omit<SampleEvent, Reports> & { readonly [R in Reports]: NonNullable<SampleEvent[R]> }
type Reports = 'bitrate' | 'transcoders' | 'pulls'

export interface LiveOptions extends Pick<DestinationOptions, 'dial' | 'timing'> {
  /** Time that destinations stay connected without an encoder, milliseconds. The desired state overrides it. */
  readonly graceMs: number
  /** Silence of a connected encoder that counts as a loss, milliseconds. Default: 1,000. */
  readonly silentMs?: number
  /** Maximum wait of an audio packet for the next video packet to share its write, milliseconds. Default: 8. */
  readonly gatherMs?: number
  /** Egress limit of the node. Default: none. */
  readonly egress?: Egress | undefined
  /** Default: no ffmpeg. */
  readonly transcoding?: TranscoderTools
  /** Default: no pictures. */
  readonly slates?: SlateShelf
  /** Default: a warning after 15 s above the bitrate limit, disconnection after 15 s more. */
  readonly bitrate?: BitrateTiming
  readonly onEvent: (event: RelayEvent) => void
  /** The project is off air. */
  readonly onEnd: () => void
}

/** For a relay without ffmpeg. */
export const withoutFfmpeg: TranscoderTools = {
  programs: openPrograms(''),
  slots: slots(0),
}

/** For a relay without pictures. */
export const noSlates: SlateShelf = { get: () => null }

/** Returns the message for an encoder that exceeded the bitrate of the tariff. */
export const bitrateRefusal = (kbpsMax: number): string =>
  `The bitrate is above what the tariff allows: ${kbpsMax} kbps. Lower it, then start again in a minute`
