// Tickets of uploads, and of films with their paths.
import * as z from 'zod/mini'
import { dayMs } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { ticketsOf } from '#server/core/tickets.ts'
import type { MediaRow } from './store.ts'

/** The session, the film and the name of its upload. */
const Uploading = z.object({ projectId: z.int(), sessionId: z.int(), id: z.int(), fileId: z.string() })
export type Uploading = z.output<typeof Uploading>

/** Valid for a day; the right of the session is checked with each request. */
export const uploadTickets = ticketsOf<Uploading>('upload ticket', Uploading, dayMs)

/** The session and the film that a ticket is for. */
const Watching = z.object({ projectId: z.int(), sessionId: z.int(), id: z.int() })
export type Watching = z.output<typeof Watching>
/** Open one film for an hour, so that an interrupted download can resume. */
export const filmTickets = ticketsOf<Watching>('film ticket', Watching, 3_600_000)

/** Returns the path of a film for a session, below the root of the service. */
export function filmPath(
  services: Pick<Services, 'clock' | 'config'>,
  film: MediaRow,
  sessionId: number,
): { readonly url: string; readonly until: Date } {
  const { ticket, until } = filmTickets.issue(services, { projectId: film.project_id, sessionId, id: film.id })
  return { url: `/videos/${film.id}/${encodeURIComponent(filmName(film))}?ticket=${ticket}`, until }
}

/** Returns the file name that browsers save a film under: letters and digits of its name. */
export const filmName = ({ id, name }: MediaRow): string =>
  `${name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 80) || `film-${id}`}.mp4`
