// Parameters of chat operations.
import * as z from 'zod/mini'

/** Chat key of a project. */
export const ChatKey = z.string().check(z.minLength(1), z.maxLength(100))

/** Id of a message. */
export const EventId = z.string().check(z.minLength(1), z.maxLength(64))

/** Position of a message in its broadcast. */
export const Seq = z.int().check(z.minimum(0), z.maximum(2_147_483_647))

/** Id of an author at the platform. */
export const SenderId = z.string().check(z.minLength(1), z.maxLength(255))
