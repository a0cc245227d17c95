// Sessions: where somebody is signed in, and ending it there. Ours: the published description has nothing of the kind.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { App, Id, listOf, Nothing, Success } from '#contract/core/wire.ts'

/** A sign-in on one device. Closed and forgotten ones are not listed. */
export const Session = z.object({
  id: Id,
  /** The one that asks. */
  current: z.boolean(),
  app: App,
  /** Of the device, as far as it tells; empty when it does not. */
  browser: z.string(),
  system: z.string(),
  kind: z.enum(['computer', 'phone', 'tablet', 'other']),
  /** Network it was last seen from, without the part that names one household; empty when unknown. */
  address: z.string(),
  date_create: DateTime,
  /** When it last got a new pair of tokens: to within the life of an access token. */
  date_seen: DateTime,
  /** When it ends if it is not used again. */
  date_end: DateTime,
})
export type Session = z.output<typeof Session>

export const sessions = group(
  'account.sessions',
  { prefix: 'account/sessions', title: 'Sessions' },
  {
    list: read('', {
      name: 'Sessions of the signed-in person',
      input: Nothing,
      output: listOf(Session),
      auth: 'session',
      provenance: 'decided',
    }),
    close: write('POST', 'close', {
      name: 'End one session',
      input: z.object({ session_id: Id }),
      output: Success,
      auth: 'session',
      provenance: 'decided',
    }),
    closeOthers: write('POST', 'close-others', {
      name: 'End all other sessions',
      input: Nothing,
      output: z.extend(Success, { closed: z.int() }),
      auth: 'session',
      provenance: 'decided',
      notes: { closed: 'how many there were' },
    }),
  },
)
