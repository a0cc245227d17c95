// Tickets for pictures: whoever has one may begin to watch one project, for a minute. Nothing is stored.
import * as z from 'zod/mini'
import { later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { derivedKey, seal, unseal } from '#server/core/secrets.ts'

type Part = Pick<Services, 'clock' | 'config'>

/** Whose ticket it is, and for what. */
const Watching = z.object({ projectId: z.int(), sessionId: z.int() })
export type Watching = z.output<typeof Watching>

const Content = z.extend(Watching, { until: z.number() })
const ticketMs = 60_000
const keyOf = ({ config }: Part) => derivedKey(config.secret, 'preview ticket')

/** Makes a ticket. @returns it, and until when it is good */
export function issueTicket(part: Part, watching: Watching): { readonly ticket: string; readonly until: Date } {
  const until = later(part.clock.now(), ticketMs)
  const content: z.output<typeof Content> = { ...watching, until: until.getTime() }
  return { ticket: seal(keyOf(part), JSON.stringify(content)), until }
}

/** Reads a ticket. @returns null for one that is forged or too old */
export function readTicket(part: Part, ticket: string): Watching | null {
  try {
    const { until, ...watching } = Content.parse(JSON.parse(unseal(keyOf(part), ticket)))
    return until > part.clock.now().getTime() ? watching : null
  } catch {
    return null
  }
}
