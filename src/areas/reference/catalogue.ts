// Catalogue of the API by area and group, with served and waiting operations.
import { groupInfo, operationsOf } from '#contract/core/group.ts'
import type { Operation } from '#contract/core/operation.ts'
import { groups } from '#contract/index.ts'
import { notServed } from '#contract/not-served.ts'
import { type PublishedFacts, publishedFacts } from './published.ts'

/** Published operation that is not served yet. */
export interface WaitingOperation {
  /** `METHOD path`, relative to `/method/`. */
  readonly route: string
  readonly name: string | undefined
  readonly facts: PublishedFacts | undefined
}

export interface ReferenceGroup {
  /** `area.group`, as in the URL of its page. */
  readonly id: string
  readonly area: string
  /** Name of the group in the API, not translated. */
  readonly title: string
  readonly served: readonly Operation[]
  readonly waiting: readonly WaitingOperation[]
}

/** All groups. A partly served group has both kinds of operations. */
export const referenceGroups: readonly ReferenceGroup[] = collect()

/** Returns a group by its id. */
export const referenceGroup = (id: string | undefined): ReferenceGroup | undefined =>
  referenceGroups.find((group) => group.id === id)

/** Number of operations, and number of served operations. */
export const totals = {
  groups: referenceGroups.length,
  served: sum(({ served }) => served.length),
  all: sum(({ served, waiting }) => served.length + waiting.length),
}

/** `METHOD path` of a served operation, in the format of waiting operations. */
export const routeOf = (op: Operation): string => `${op.method} ${op.path.replace('/method/', '')}`

/** Anchor of an operation on its group's page. */
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
