// Search for groups and operations.
import { groupTitle } from '#src/lib/group-title.ts'
import { type ReferenceGroup, routeOf } from './catalogue.ts'

export interface Match {
  readonly group: ReferenceGroup
  /** Operations that match all search terms; empty when the group itself matches. */
  readonly operations: readonly { readonly route: string; readonly name: string | undefined }[]
}

/**
 * Groups with all search terms in their id or title, and groups with matching operations.
 * @param text search input; empty matches everything
 */
export function search(groups: readonly ReferenceGroup[], text: string): Match[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const hasAll = (hay: string) => words.every((word) => hay.toLowerCase().includes(word))
  return groups.flatMap((group) => {
    const own = `${group.id} ${group.title} ${groupTitle(group.title)}`
    if (hasAll(own)) return [{ group, operations: [] }]
    const operations = [
      ...group.served.map((op) => ({ route: routeOf(op), name: op.name })),
      ...group.waiting.map(({ route, name }) => ({ route, name })),
    ].filter(({ route, name }) => hasAll(`${own} ${route} ${name ?? ''}`))
    return operations.length > 0 ? [{ group, operations }] : []
  })
}
