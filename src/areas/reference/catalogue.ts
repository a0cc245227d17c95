// The whole API as the reference shows it: groups by area, with what is served and what is only known.
import { groupInfo, operationsOf } from '#contract/core/group.ts'
import type { Operation } from '#contract/core/operation.ts'
import { groups } from '#contract/index.ts'
import { notServed } from '#contract/not-served.ts'
import { type PublishedFacts, publishedFacts } from './published.ts'

/** An operation that is known and not served yet. */
export interface WaitingOperation {
  /** `METHOD path` below `/method/`. */
  readonly route: string
  readonly name: string | undefined
  readonly facts: PublishedFacts | undefined
}

export interface ReferenceGroup {
  /** `area.group`, as in the address of its page. */
  readonly id: string
  readonly area: string
  /** The group's name on the wire side, not translated. */
  readonly title: string
  readonly served: readonly Operation[]
  readonly waiting: readonly WaitingOperation[]
}

/** Every group once. A group that is served in part has both kinds of operations. */
export const referenceGroups: readonly ReferenceGroup[] = collect()

/** A group by its id. */
export const referenceGroup = (id: string | undefined): ReferenceGroup | undefined =>
  referenceGroups.find((group) => group.id === id)

/** How many operations there are, and how many of them are served. */
export const totals = {
  groups: referenceGroups.length,
  served: sum(({ served }) => served.length),
  all: sum(({ served, waiting }) => served.length + waiting.length),
}

/** `METHOD path` of a served operation, as the waiting ones are written. */
export const routeOf = (op: Operation): string => `${op.method} ${op.path.replace('/method/', '')}`

/** Address of an operation inside its group's page. */
export const anchorOf = (route: string): string => route.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

function collect(): ReferenceGroup[] {
  const found = new Map<string, ReferenceGroup>()
  for (const group of groups) {
    const { id, area, title } = groupInfo(group)
    found.set(id, { id, area, title, served: operationsOf(group), waiting: [] })
  }
  for (const { area, name, title, operations } of notServed) {
    const id = `${area}.${name}`
    const waiting = operations.map(([route, briefName]) => ({ route, name: briefName, facts: publishedFacts(route) }))
    found.set(id, { served: [], title, ...found.get(id), id, area, waiting })
  }
  return [...found.values()].toSorted((a, b) => a.id.localeCompare(b.id, 'en'))
}

function sum(count: (group: ReferenceGroup) => number): number {
  return referenceGroups.reduce((total, group) => total + count(group), 0)
}
