// Stream of a browser over a WebSocket: binary messages with media from the page, text messages from the service.
import * as z from 'zod/mini'

/** Subprotocol of the WebSocket. The client offers it together with its ticket. */
export const browserProtocol = 'relaydeck.browser'

/** Kinds of media, the first byte of a message. Video and AAC have the numbers of their RTMP messages. */
export const browserKinds = { pcm: 6, opus: 7, aac: 8, video: 9 } as const

/** Bits of the second byte. `header`: decoder configuration, before the frames that need it. */
export const browserFlags = { key: 1, header: 2 } as const

/** Kind, flags, and the time in milliseconds (big-endian, 32 bits); the payload follows. */
export const browserHeadBytes = 6

/** Largest message, bytes. */
export const browserMessageBytes = 1024 * 1024

/**
 * Reason why a stream ended. `later`: the client should open another connection. `full`: the service carries as many browsers as it
 * may. `sound`: the node has no ffmpeg, which this sound needs. `invalid`: the client sent something else than a stream.
 */
export const browserEnds = [
  'later',
  'refused',
  'conflict',
  'full',
  'no_node',
  'sound',
  'right',
  'ticket',
  'invalid',
] as const
export type BrowserEnd = (typeof browserEnds)[number]

/** A text message. `live`: the stream is admitted; the client sends its headers and a keyframe. `keyframe`: the client sends one now. */
export const BrowserText = z.discriminatedUnion('type', [
  z.object({ type: z.literal('live') }),
  z.object({ type: z.literal('keyframe') }),
  z.object({ type: z.literal('end'), reason: z.enum(browserEnds), words: z.string() }),
])
export type BrowserText = z.output<typeof BrowserText>
