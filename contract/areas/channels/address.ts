// Limits of destination addresses and keys, shared by all forms and operations.
import * as z from 'zod/mini'

/** Address, `rtmp://`, `rtmps://` or `srt://`; the service reports errors in it. */
export const address = z.string().check(z.minLength(1), z.maxLength(1000))
/** Stream key of the channel at the platform. */
export const streamKey = z.string().check(z.maxLength(1000))
/** Page of the channel at its platform. */
export const channelUrl = z.string().check(z.minLength(10), z.maxLength(1000))
/** Name of a new channel. */
export const channelName = z.string().check(z.minLength(1), z.maxLength(255))
