// Operations of the HTTP API: declared as values, from which client, service and documentation derive their types.
import type * as z from 'zod/mini'
import type { NeededScope } from './scopes.ts'
import type { Stale } from './stale.gen.ts'

/** Any schema of the contract. */
export type Schema = z.ZodMiniType
/** HTTP methods of the API. `PUT` belongs to two published groups only. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
/** Placement of parameters: query string, JSON body, or multipart form (files). */
export type Placement = 'query' | 'body' | 'multipart'
/** Source of the operation's description: the brief, the published description, or our decision. */
export type Provenance = 'brief' | 'published' | 'decided'
/**
 * Required rights. `none`: no session. `session`: any signed-in user. `operator`: an operator of the installation. A role: a member of the project `project_id`
 * with the capability of that role (contract/entities/roles.ts; wire `access_type` 0 viewer, 1 editor, 2 owner).
 */
export type Auth = 'none' | 'session' | 'operator' | NeededRole
/** Roles that operations name: what the role may do, the member must be able to do. */
export type NeededRole = 'viewer' | 'editor' | 'owner'
/**
 * Projects whose pages realtime tells of a write. `project`: that of `project_id`. `broadcast`: the same, while the data of the project
 * itself stays. `channel`: also each project that has the channel `channel_id`. `nothing`: it changes nothing that they show.
 */
export type Announces = 'project' | 'broadcast' | 'channel' | 'nothing'
/** Values of `announces` by what an operation is about: a project needs a role in it, a channel needs our id of it. */
type AnnouncedBy<I extends Schema, A extends Auth> =
  | (A extends NeededRole ? 'project' | 'broadcast' : never)
  | (z.output<I> extends { readonly channel_id: number } ? 'channel' : never)
  | 'nothing'
/** Values of `scope` by the rights that an operation requires: operators have a group of scopes of their own. */
type ScopeOf<A extends Auth> = A extends 'operator'
  ? Extract<NeededScope, `operator:${string}` | 'session'>
  : Exclude<NeededScope, `operator:${string}`>
/** Parameters that every call carries: the client adds them, the edge of the service reads them. */
export type Common = 'v' | 'language'

/** Declaration of an operation by its author. */
export interface Spec<I extends Schema, O extends Schema, A extends Auth = Auth> {
  /** Name of the operation; the brief's own for operations of the brief. */
  readonly name: string
  readonly input: I
  readonly output: O
  readonly auth: A
  /** What an API token needs to call it, beside the rights of its owner. A read that shows a secret needs the scope of writes. */
  readonly scope: ScopeOf<NoInfer<A>>
  readonly provenance: Provenance
  /** Wire value of `v` for this operation. Default `1`. */
  readonly version?: '1' | '2' | '3' | '4'
  /** Default: query for GET and DELETE, body for the rest. */
  readonly placement?: Placement
  /** Status of a success. Default 200. For 301 and 302 the `Location` is `output.location`. */
  readonly status?: 200 | 201 | 204 | 301 | 302
  /** Which of `v` and `language` the operation carries. Default both. */
  readonly carries?: readonly Common[]
  /** `never`: a client must not send it again after a 401, even with a new token. Default `auto`. */
  readonly replay?: 'auto' | 'never'
  /** Parameters of a call with a body that the published API has in the query (published oddity 2); both places are read. */
  readonly inQuery?: readonly string[]
  /** Default of a write: `channel` with our `Id` as `channel_id`, else `project` with a role, else `nothing`. */
  readonly announces?: AnnouncedBy<NoInfer<I>, NoInfer<A>>
  /** Data that a write makes stale: clients fetch it again. Default: that of the group, else its area. */
  readonly stale?: readonly Stale[]
  /** The write may end a session or a membership: open connections are checked again. */
  readonly revokes?: true
  /** Members who lack a second factor that is demanded may call it. */
  readonly isForLacking?: true
  /** The token of a widget may call it, in the query as `widget` (published C.5); it stands for `project_id`. */
  readonly isForWidgets?: true
  /** One line per parameter or field whose name does not say its unit or meaning. */
  readonly notes?: Readonly<Record<string, string>>
}

/** An operation before its group gives it an id and a path. */
export interface Draft<K extends 'read' | 'write', I extends Schema, O extends Schema, A extends Auth = Auth> {
  readonly kind: K
  readonly method: Method
  readonly segment: string
  readonly spec: Spec<I, O, A>
}

/** Complete operation: all facts for client, service, tests and reference pages. */
export interface Operation<
  K extends 'read' | 'write' = 'read' | 'write',
  I extends Schema = Schema,
  O extends Schema = Schema,
  A extends Auth = Auth,
> {
  /** `area.group.op`, for example `tariffs.restream.check`. Used in query keys, logs, tests and documentation. */
  readonly id: string
  readonly kind: K
  readonly method: Method
  /** Path from the base URL, for example `/method/plan_restream/check`; `{name}` is a parameter. */
  readonly path: string
  readonly name: string
  readonly version: '1' | '2' | '3' | '4'
  readonly placement: Placement
  readonly inQuery: readonly string[]
  readonly status: number
  readonly auth: A
  readonly scope: NeededScope
  readonly provenance: Provenance
  readonly carries: readonly Common[]
  readonly replay: 'auto' | 'never'
  readonly announces: Announces
  readonly stale: readonly Stale[]
  readonly revokes: boolean
  readonly isForLacking: boolean
  readonly isForWidgets: boolean
  readonly notes: Readonly<Record<string, string>>
  readonly input: I
  readonly output: O
}

/** Operation without side effects; only reads can be queries. */
export type ReadOperation<I extends Schema = Schema, O extends Schema = Schema> = Operation<'read', I, O>
/** Operation with side effects, regardless of its HTTP method; never prefetched, cached or retried. */
export type WriteOperation<I extends Schema = Schema, O extends Schema = Schema> = Operation<'write', I, O>

/** Input as the caller passes it: fields with defaults are optional. */
export type Input<T> = T extends Operation<'read' | 'write', infer I, Schema> ? z.input<I> : never
/** Input as the handler receives it: defaults filled in. */
export type ParsedInput<T> = T extends Operation<'read' | 'write', infer I, Schema> ? z.output<I> : never
/** Output as the caller receives it. */
export type Output<T> = T extends Operation<'read' | 'write', Schema, infer O> ? z.output<O> : never
/** Output as the handler returns it. */
export type Answer<T> = T extends Operation<'read' | 'write', Schema, infer O> ? z.input<O> : never

/**
 * Declares an operation without side effects. Always a GET.
 * @param segment path below the group's prefix; empty for the prefix itself
 * @example read('list', { name: 'Get list of restream tariffs', input: z.object({}), output: PlanList, auth: 'none', provenance: 'published' })
 */
export function read<I extends Schema, O extends Schema, const A extends Auth>(
  segment: string,
  spec: Spec<I, O, A>,
): Draft<'read', I, O, A> {
  return { kind: 'read', method: 'GET', segment, spec }
}

/**
 * Declares an operation that changes something. It may be a GET on the wire (the published API has several);
 * its type keeps it out of queries even then.
 * @param method HTTP method on the wire
 * @param segment path below the group's prefix; empty for the prefix itself
 */
export function write<I extends Schema, O extends Schema, const A extends Auth>(
  method: Method,
  segment: string,
  spec: Spec<I, O, A>,
): Draft<'write', I, O, A> {
  return { kind: 'write', method, segment, spec }
}
