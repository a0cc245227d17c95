// Tickets: encrypted, stateless permissions for one action, valid for a limited time.
import * as z from 'zod/mini'
import { later } from './clock.ts'
import type { Services } from './context.ts'
import { derivedKey, seal, unseal } from './secrets.ts'

type Part = Pick<Services, 'clock' | 'config'>

export interface Tickets<T> {
  /** @returns a ticket and its expiry */
  issue(part: Part, about: T): { readonly ticket: string; readonly until: Date }
  /** @returns null for a ticket that is forged, expired, or of another kind */
  read(part: Part, ticket: string): T | null
}

/**
 * Creates the tickets of one kind.
 * @param kind unique name of the kind
 * @param goodMs lifetime, milliseconds
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
