// Allowances that apply now. An allowance that a project had when its broadcast began applies until the broadcast ends, at
// most 12 hours past the end of the plan.
import type { LineName } from '#contract/entities/plan.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { ReadDb } from '#server/db/open.ts'
import { storageGbOf } from './catalog.ts'
import { lineOf, type Allowances } from './lines.ts'
import { getPlan, listAirStarts, type PlanRow } from './store.ts'
import { readStates, type State } from './subscriptions.ts'
import { isBought } from './subscriptions-rules.ts'
import type { BoughtTerm, Sold, Term } from './subscriptions-slots.ts'

/** Longest time that an allowance outlasts its plan, milliseconds. */
const holdMs = 12 * 3_600_000

/** Returns the time until which a broadcast holds the allowance of a plan that ended. */
export const holdEnd = (end: string): string => iso(later(new Date(end), holdMs))

/** Returns the latest end of a plan whose allowance a broadcast no longer holds. */
const holdsUntil = (now: Date): string => iso(later(now, -holdMs))

/** Returns what a project has in a line now. */
export async function allowanceOf<L extends LineName>(
  services: Pick<Services, 'clock'>,
  db: ReadDb,
  projectId: number,
  line: L,
): Promise<Allowances[L]> {
  return (await allowancesOf(services, db, projectId, [line]))[line]
}

/** Returns what a project has in lines now. */
export async function allowancesOf<L extends LineName>(
  services: Pick<Services, 'clock'>,
  db: ReadDb,
  projectId: number,
  lines: readonly L[],
): Promise<Pick<Allowances, L>> {
  const ofProject = await readAllowances(services, db, [projectId], lines)
  return ofProject(projectId)
}

/** Reads what projects have in lines now; as many statements for any number of projects. @returns the allowances by project */
export async function readAllowances<L extends LineName>(
  { clock }: Pick<Services, 'clock'>,
  db: ReadDb,
  projectIds: readonly number[],
  lines: readonly L[],
): Promise<(projectId: number) => Pick<Allowances, L>> {
  const statesOf = await readStates(db, clock, projectIds, lines)
  const mayHold = (id: number) => lines.some((line) => endedShortlyOf(statesOf(id)[line]) !== null)
  const starts = await listAirStarts(db, projectIds.filter(mayHold))
  return (projectId) => {
    const states = statesOf(projectId)
    const since = starts.get(projectId)
    return Object.fromEntries(lines.map((line) => [line, held(line, states[line], since)])) as Pick<Allowances, L>
  }
}

/** Returns the last plan of a line if a broadcast may hold its allowance still. */
function endedShortlyOf<A extends Sold>({ slots, now }: State<A>): BoughtTerm<A> | null {
  const before: Term<A> | null = slots.before
  return isBought(before) && before.end > holdsUntil(new Date(now)) ? before : null
}

/** Returns the running allowance, or the larger one that a broadcast which began at `since` holds. */
function held<L extends LineName>(line: L, state: State<Allowances[L]>, since: string | undefined): Allowances[L] {
  const { current } = state.slots
  const before = endedShortlyOf(state)
  const isHeld = before !== null && since !== undefined && since >= before.start && since < before.end
  return isHeld ? lineOf(line).larger(current, before) : current
}

/** Returns the space for recordings of a project: of its restream plan or `RECORD_LIMIT`, and bought in addition; GB. */
export async function storageGb(
  services: Pick<Services, 'clock' | 'config'>,
  db: ReadDb,
  projectId: number,
): Promise<number> {
  const { restream, storage } = await allowancesOf(services, db, projectId, ['restream', 'storage'])
  return storageGbIn(await getPlan(db, restream.planId), storage, services.config)
}

/** Returns the space of a restream plan or `RECORD_LIMIT`, and the space bought in addition; GB. */
export const storageGbIn = (
  plan: PlanRow,
  { size }: Allowances['storage'],
  config: Pick<Services['config'], 'recordLimitGb'>,
): number => storageGbOf(plan, config) + size
