// Tickets for pictures: whoever has one may watch one project.
import * as z from 'zod/mini'
import { ticketsOf } from '#server/core/tickets.ts'

/** Whose ticket it is, and for what. */
const Watching = z.object({ projectId: z.int(), sessionId: z.int() })
export type Watching = z.output<typeof Watching>

/** For headers, to begin with. */
export const previewTickets = ticketsOf<Watching>('preview ticket', Watching, 60_000)

/** For addresses: such a player sends no header of ours, and asks for file after file. */
export const hlsTickets = ticketsOf<Watching>('hls ticket', Watching, 3_600_000)
