// What an operation of the HTTP API is: a value that says everything about it, and the types that follow.
import type * as z from 'zod/mini'

/** Any schema of the contract. */
export type Schema = z.ZodMiniType
/** HTTP methods of the API. `PUT` belongs to two published groups only. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
/** Where the parameters travel: query string, JSON body, or a multipart form (files). */
export type Placement = 'query' | 'body' | 'multipart'
/** Who says that the operation looks like this: the brief, the published description, or we ourselves. */
export type Provenance = 'brief' | 'published' | 'decided'
/**
 * Who may call. `none`: anybody. `session`: anybody signed in. A role: a member of the project named by
 * `project_id` whose role is at least that (`viewer` < `editor` < `owner`, wire `access_type` 0 / 1 / 2).
 */
export type Auth = 'none' | 'session' | ProjectRole
/** Role in a project, weakest first. */
export type ProjectRole = 'viewer' | 'editor' | 'owner'
/** Parameters that every call carries, added once by the client and read once by the edge. */
export type Common = 'v' | 'language'

/** What the author of an operation writes down. */
export interface Spec<I extends Schema, O extends Schema, A extends Auth = Auth> {
  /** The operation's name; for operations of the brief, the brief's own. */
  readonly name: string
  readonly input: I
  readonly output: O
  readonly auth: A
  readonly provenance: Provenance
  /** Wire value of `v` that this operation is called with. Default `1`. */
  readonly version?: '1' | '2' | '3' | '4'
  /** Default: query for GET and DELETE, body for the rest. */
  readonly placement?: Placement
  /** Status of success. Default 200. A 301 or 302 answers with `Location` from `output.location`. */
  readonly status?: 200 | 201 | 204 | 301 | 302
  /** Which of `v` and `language` the operation carries. Default both. */
  readonly carries?: readonly Common[]
  /** `never`: a client must not send it again after a 401, even with a new token. Default `auto`. */
  readonly replay?: 'auto' | 'never'
  /** Parameters of a body that travel in the query all the same (published oddity 2); they are read in both places. */
  readonly inQuery?: readonly string[]
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

/** A complete operation: everything that client, service, tests and reference pages need to know. */
export interface Operation<
  K extends 'read' | 'write' = 'read' | 'write',
  I extends Schema = Schema,
  O extends Schema = Schema,
  A extends Auth = Auth,
> {
  /** `area.group.op`, for example `tariffs.restream.check`. Seen in query keys, logs, tests and docs. */
  readonly id: string
  readonly kind: K
  readonly method: Method
  /** Path from the base URL, for example `/method/plan_restream/check`; `{name}` stands for a parameter. */
  readonly path: string
  readonly name: string
  readonly version: '1' | '2' | '3' | '4'
  readonly placement: Placement
  readonly inQuery: readonly string[]
  readonly status: number
  readonly auth: A
  readonly provenance: Provenance
  readonly carries: readonly Common[]
  readonly replay: 'auto' | 'never'
  readonly notes: Readonly<Record<string, string>>
  readonly input: I
  readonly output: O
}

/** An operation without side effects; the only kind that may be a query. */
export type ReadOperation<I extends Schema = Schema, O extends Schema = Schema> = Operation<'read', I, O>
/** An operation that changes something, whatever its HTTP method; never prefetched, cached or retried. */
export type WriteOperation<I extends Schema = Schema, O extends Schema = Schema> = Operation<'write', I, O>

/** What a caller passes: defaults may be left out. */
export type Input<T> = T extends Operation<'read' | 'write', infer I, Schema> ? z.input<I> : never
/** What a handler receives: defaults filled in. */
export type ParsedInput<T> = T extends Operation<'read' | 'write', infer I, Schema> ? z.output<I> : never
/** What a caller gets back. */
export type Output<T> = T extends Operation<'read' | 'write', Schema, infer O> ? z.output<O> : never
/** What a handler returns. */
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
 * its type keeps it out of queries all the same.
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
