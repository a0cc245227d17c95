// Choice of a channel among the tracks of an encoder.
import * as z from 'zod/mini'

/** Numbers of the tracks of a kind: encoders may have eight. */
const numbers = ['0', '1', '2', '3', '4', '5', '6', '7'] as const

/** `landscape`, `portrait`: by the size of the picture, never by the number. */
export const videoTracks = ['main', 'landscape', 'portrait', ...numbers] as const
/** `silent`: silence instead of sound. */
export const audioTracks = ['main', 'silent', ...numbers] as const
/** While a chosen track is missing: the channel waits, or receives the main one. */
export const missingTracks = ['wait', 'main'] as const

const choice = { video: z.enum(videoTracks), audio: z.enum(audioTracks), missing: z.enum(missingTracks) }
export const TrackChoice = z.object(choice)
export type TrackChoice = z.output<typeof TrackChoice>

/** Of a channel that has not chosen. */
export const mainTracks: TrackChoice = { video: 'main', audio: 'main', missing: 'wait' }

/** Returns whether a choice is the stream as channels without a choice receive it. */
export const isMainTracks = ({ video, audio }: TrackChoice): boolean => video === 'main' && audio === 'main'

/** Silence for a channel while the stream has no sound. `auto`: where the platform shows no stream without sound. */
export const silences = ['auto', 'always', 'never'] as const
export const SilenceChoice = z.enum(silences)
export type SilenceChoice = z.output<typeof SilenceChoice>

/** Smaller picture of the encoder for a channel that is too slow for the chosen one. `same_size`: one of the same size, over the same connection. */
export const ladders = ['same_size', 'off'] as const
export const LadderChoice = z.enum(ladders)
export type LadderChoice = z.output<typeof LadderChoice>
