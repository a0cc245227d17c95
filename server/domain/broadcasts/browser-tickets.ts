// Tickets for streams from a browser: stateless, and a one-time code inside makes each good for one connection.
import * as z from 'zod/mini'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { ticketsOf } from '#server/core/tickets.ts'
import { issueCode, redeemCode } from '#server/domain/account/codes.ts'
import { readStreamKey } from '#server/domain/ingest/stream-keys.ts'
import { mayPublish } from '#server/domain/projects/access.ts'

/** Session and project of a ticket. */
const Streaming = z.object({ projectId: z.int(), sessionId: z.int(), code: z.string() })

/** A stream from a browser: its project, and the session that may send it. */
export type BrowserStream = Pick<z.output<typeof Streaming>, 'projectId' | 'sessionId'>

const tickets = ticketsOf<z.output<typeof Streaming>>('browser ticket', Streaming, 60_000)

/**
 * Issues a ticket, and makes sure that the project has a stream key.
 * @throws RuleError `NoBrowserServer` where no relay node takes streams of browsers
 */
export async function issueBrowserTicket(
  services: Services,
  stream: BrowserStream,
): Promise<{ readonly ticket: string; readonly until: Date }> {
  if (!services.relay.takesBrowser(stream.projectId)) throw new RuleError('NoBrowserServer')
  await readStreamKey(services, stream.projectId)
  const code = await issueCode(services, services.db, 'browser', { familyId: stream.sessionId })
  return tickets.issue(services, { ...stream, code })
}

/** Returns whether a ticket is genuine and has not expired. It may be used up. */
export const isBrowserTicket = (services: Pick<Services, 'clock' | 'config'>, ticket: string): boolean =>
  tickets.read(services, ticket) !== null

/**
 * Uses up a ticket.
 * @returns its stream; `ticket` for one that is used, expired or forged, `right` when its session may no longer stream
 */
export async function redeemBrowserTicket(
  services: Services,
  ticket: string,
): Promise<BrowserStream | 'ticket' | 'right'> {
  const stream = tickets.read(services, ticket)
  if (!stream || !(await redeemCode(services, services.db, 'browser', stream.code))) return 'ticket'
  return (await mayPublish(services, stream)) ? stream : 'right'
}
