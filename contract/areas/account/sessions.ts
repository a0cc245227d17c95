// Sessions: list the sign-ins of the user and end them. Ours: the published description has no such operations.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { App, Id, listOf, Nothing, Success } from '#contract/core/wire.ts'

/** Sign-in on one device. Ended and expired sessions are not listed. */
export const Session = z.object({
  id: Id,
  /** Session of the caller. */
  current: z.boolean(),
  app: App,
  /** Browser of the device; empty when unknown. */
  browser: z.string(),
  system: z.string(),
  kind: z.enum(['computer', 'phone', 'tablet', 'other']),
  /** Network of the last use, without the part that identifies a household; empty when unknown. */
  address: z.string(),
  date_create: DateTime,
  /** Time of the last token refresh; accurate to the lifetime of an access token. */
  date_seen: DateTime,
  /** Expiry of the session without further use. */
  date_end: DateTime,
})
export type Session = z.output<typeof Session>

export const sessions = group(
  'account.sessions',
  { prefix: 'account/sessions', title: 'Sessions', stale: ['account.sessions'] },
  {
    list: read('', {
      name: 'Sessions of the signed-in person',
      input: Nothing,
      output: listOf(Session),
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
    }),
    close: write('POST', 'close', {
      name: 'End one session',
      input: z.object({ session_id: Id }),
      output: Success,
      auth: 'session',
      scope: 'session',
      revokes: true,
      provenance: 'decided',
    }),
    closeOthers: write('POST', 'close-others', {
      name: 'End all other sessions',
      input: Nothing,
      output: z.extend(Success, { closed: z.int() }),
      auth: 'session',
      scope: 'session',
      revokes: true,
      provenance: 'decided',
      notes: { closed: 'how many there were' },
    }),
  },
)
