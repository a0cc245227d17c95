// Tickets of uploads.
import * as z from 'zod/mini'
import { dayMs } from '#server/core/clock.ts'
import { ticketsOf } from '#server/core/tickets.ts'

/** The session, the film and the name of its upload. */
const Uploading = z.object({ projectId: z.int(), sessionId: z.int(), id: z.int(), fileId: z.string() })
export type Uploading = z.output<typeof Uploading>

/** Valid for a day; the right of the session is checked with each request. */
export const uploadTickets = ticketsOf<Uploading>('upload ticket', Uploading, dayMs)
