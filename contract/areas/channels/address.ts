// What people type to say where a stream goes: limits that every form and operation shares.
import * as z from 'zod/mini'

/** An address, `rtmp://`, `rtmps://` or `srt://`; the service says what is wrong with one. */
export const address = z.string().check(z.minLength(1), z.maxLength(1000))
/** The secret by which the platform knows the channel. */
export const streamKey = z.string().check(z.maxLength(1000))
/** Page of a channel at its platform. */
export const channelUrl = z.string().check(z.minLength(10), z.maxLength(1000))
/** What a channel is called here, when it is added. */
export const channelName = z.string().check(z.minLength(1), z.maxLength(255))
