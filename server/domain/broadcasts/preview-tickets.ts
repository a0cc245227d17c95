// Tickets for the preview of one project.
import * as z from 'zod/mini'
import { ticketsOf } from '#server/core/tickets.ts'

/** Session and project of a ticket. */
const Watching = z.object({ projectId: z.int(), sessionId: z.int() })
export type Watching = z.output<typeof Watching>

/** For request headers. */
export const previewTickets = ticketsOf<Watching>('preview ticket', Watching, 60_000)

/** For URLs: HLS players send no own header, and request many files. */
export const hlsTickets = ticketsOf<Watching>('hls ticket', Watching, 3_600_000)
