// Groups of operations: a prefix, a title, and operations whose ids and paths derive from them.
import type { Announces, Draft, Operation, Schema } from './operation.ts'
import type { Stale } from './stale.gen.ts'
import { Id } from './wire.ts'

const info = Symbol('group')

/** Facts about a group. */
export interface GroupInfo {
  /** `area.group`, which is also its file: `contract/areas/<area>/<group>.ts`. */
  readonly id: string
  readonly area: string
  readonly name: string
  /** The group's name in the brief, for example `PlanRestream`. */
  readonly title: string
}

type Drafts = Readonly<Record<string, Draft<'read' | 'write', Schema, Schema>>>
type Complete<D> = D extends Draft<infer K, infer I, infer O, infer A> ? Operation<K, I, O, A> : never

/** Operations by name; the facts of the group are under a symbol, so that `Object.values` returns operations only. */
export type Group<D extends Drafts = Drafts> = { readonly [K in keyof D]: Complete<D[K]> } & {
  readonly [info]: GroupInfo
}

/**
 * Creates a group. Paths are `/method/<prefix>/<segment>`.
 * @param id `area.group`
 * @param wire path prefix of the group, its name in the brief, and what its writes make stale (default: its area)
 * @param drafts operations made by `read` and `write`
 * @example const releases = group('help.releases', { prefix: 'release-app', title: 'Release' }, { current: read('', ...) })
 */
export function group<const D extends Drafts>(
  id: `${string}.${string}`,
  wire: { readonly prefix: string; readonly title: string; readonly stale?: readonly Stale[] },
  drafts: D,
): Group<D> {
  const [area = '', name = ''] = id.split('.')
  // Each area is a member of the union.
  const { prefix, stale = [area as Stale] } = wire
  const operations = Object.entries(drafts).map(([key, draft]) => [key, complete(`${id}.${key}`, prefix, stale, draft)])
  return { ...Object.fromEntries(operations), [info]: { id, area, name, title: wire.title } } as Group<D>
}

/** Returns the facts about a group: id, area, file name and title. */
export const groupInfo = (value: { readonly [info]: GroupInfo }): GroupInfo => value[info]

/** A group of unknown operations, for registries and generic tests. */
export type AnyGroup = { readonly [info]: GroupInfo }

/** Returns the operations of a group in the order of declaration. */
export const operationsOf = (value: AnyGroup): Operation[] => Object.values(value)

function complete(
  id: string,
  prefix: string,
  stale: readonly Stale[],
  draft: Draft<'read' | 'write', Schema, Schema>,
): Operation {
  const { kind, method, segment, spec } = draft
  return {
    id,
    kind,
    method,
    path: `/method/${[prefix, segment].filter(Boolean).join('/')}`,
    name: spec.name,
    version: spec.version ?? '1',
    placement: spec.placement ?? (method === 'GET' || method === 'DELETE' ? 'query' : 'body'),
    inQuery: spec.inQuery ?? [],
    status: spec.status ?? 200,
    auth: spec.auth,
    scope: spec.scope,
    provenance: spec.provenance,
    carries: spec.carries ?? ['v', 'language'],
    replay: spec.replay ?? 'auto',
    announces: spec.announces ?? announcedBy(draft),
    stale: kind === 'read' ? [] : (spec.stale ?? stale),
    revokes: spec.revokes ?? false,
    isForLacking: spec.isForLacking ?? false,
    isForWidgets: spec.isForWidgets ?? false,
    notes: spec.notes ?? {},
    input: spec.input,
    output: spec.output,
  }
}

/** A platform's id of a channel has another schema, and names no channel of ours. */
function announcedBy({ kind, spec }: Draft<'read' | 'write', Schema, Schema>): Announces {
  if (kind === 'read') return 'nothing'
  const { shape } = spec.input as { readonly shape?: Readonly<Record<string, unknown>> }
  if (shape?.['channel_id'] === Id) return 'channel'
  return spec.auth === 'none' || spec.auth === 'session' || spec.auth === 'operator' ? 'nothing' : 'project'
}
