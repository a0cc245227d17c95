// Tickets: whoever has one may do one thing for a while. Sealed, so that nobody can make or read one; nothing is stored.
import * as z from 'zod/mini'
import { later } from './clock.ts'
import type { Services } from './context.ts'
import { derivedKey, seal, unseal } from './secrets.ts'

type Part = Pick<Services, 'clock' | 'config'>

export interface Tickets<T> {
  /** @returns a ticket, and until when it is good */
  issue(part: Part, about: T): { readonly ticket: string; readonly until: Date }
  /** @returns null for one that is forged, too old, or of another kind */
  read(part: Part, ticket: string): T | null
}

/**
 * Tickets of one kind.
 * @param kind no other kind may be called so
 * @param goodMs for how long one is good
 */
export function ticketsOf<T>(kind: string, about: z.ZodMiniType<T>, goodMs: number): Tickets<T> {
  const Content = z.object({ about, until: z.number() })
  const keyOf = ({ config }: Part) => derivedKey(config.secret, kind)
  return {
    issue(part, what) {
      const until = later(part.clock.now(), goodMs)
      return { ticket: seal(keyOf(part), JSON.stringify({ about: what, until: until.getTime() })), until }
    },
    read(part, ticket) {
      try {
        const { about: what, until } = Content.parse(JSON.parse(unseal(keyOf(part), ticket)))
        return until > part.clock.now().getTime() ? (what as T) : null
      } catch {
        return null
      }
    },
  }
}
