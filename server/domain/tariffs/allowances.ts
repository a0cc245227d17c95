// Allowances that apply now. An allowance that a project had when its broadcast began applies until the broadcast ends, at
// most 12 hours past the end of the plan.
import type { LineName } from '#contract/entities/plan.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { ReadDb } from '#server/db/open.ts'
import { storageGbOf } from './catalog.ts'
import { lineOf, type Allowances } from './lines.ts'
import { findAirStart, getPlan } from './store.ts'
import { readState } from './subscriptions.ts'
import { isBought } from './subscriptions-rules.ts'
import type { Sold, Term } from './subscriptions-slots.ts'

/** Longest time that an allowance outlasts its plan, milliseconds. */
const holdMs = 12 * 3_600_000

/** Returns the time until which a broadcast holds the allowance of a plan that ended. */
export const holdEnd = (end: string): string => iso(later(new Date(end), holdMs))

/** Returns the latest end of a plan whose allowance a broadcast no longer holds. */
const holdsUntil = (now: Date): string => iso(later(now, -holdMs))

/** Returns what a project has in a line now. */
export async function allowanceOf<L extends LineName>(
  { clock }: Pick<Services, 'clock'>,
  db: ReadDb,
  projectId: number,
  line: L,
): Promise<Allowances[L]> {
  const { slots, now } = await readState(db, clock, projectId, line)
  const before: Term<Sold> | null = slots.before
  if (!isBought(before) || before.end <= holdsUntil(new Date(now))) return slots.current
  const since = await findAirStart(db, projectId)
  const isHeld = since !== undefined && since >= before.start && since < before.end
  return isHeld && slots.before ? lineOf(line).larger(slots.current, slots.before) : slots.current
}

/** Returns the space for recordings of a project: of its restream plan or `RECORD_LIMIT`, and bought in addition; GB. */
export async function storageGb(
  services: Pick<Services, 'clock' | 'config'>,
  db: ReadDb,
  projectId: number,
): Promise<number> {
  const { planId } = await allowanceOf(services, db, projectId, 'restream')
  const { size } = await allowanceOf(services, db, projectId, 'storage')
  return storageGbOf(await getPlan(db, planId), services.config) + size
}
