// Common wire schemas: shared parameters, success, lists, errors.
import * as z from 'zod/mini'
import { apps, languages } from './codes.ts'

/** Language by its wire code. */
export const Language = z.enum(languages)
export type Language = z.output<typeof Language>

/** Kind of client. */
export const App = z.enum(apps)
export type App = z.output<typeof App>

/** Values of `v` that every operation accepts (brief 4.1); operations published with a higher one accept that too. */
const versions = ['1', '2', '3']

/** Returns the values of `v` that an operation accepts. Without `v`: the operation's own version. */
export const acceptedVersions = (op: { readonly version: string }): readonly string[] => [
  ...new Set([...versions, op.version]),
]

/** Response of most writes. */
export const Success = z.object({ success: z.boolean() })

/** Id of a row. The maximum is that of the databases' integer columns. */
export const Id = z.int().check(z.minimum(1), z.maximum(2_147_483_647))

/** Input of an operation about one project. */
export const InProject = z.object({ project_id: Id })

/** No parameters beside `v` and `language`. */
export const Nothing = z.object({})

/** Response of an operation that redirects the browser (301): the edge sends it as `Location`. */
export const Redirect = z.object({ location: z.string() })

/** `{results}`: an unpaged list. */
export const listOf = <T extends z.ZodMiniType>(item: T) => z.object({ results: z.array(item) })

/** `limit` 1..100 and `offset` from 0, as in most published lists. */
export const Page = z.object({
  limit: z._default(z.int().check(z.minimum(1), z.maximum(100)), 20),
  offset: z._default(z.int().check(z.minimum(0)), 0),
})

/** `{total, limit, offset, results}`: a paged list. */
export const pageOf = <T extends z.ZodMiniType>(item: T) =>
  z.object({ total: z.int(), limit: z.int(), offset: z.int(), results: z.array(item) })

/** One refused parameter: its name, and the broken rules with a sentence each (published `ValidationErrorDto`). */
export const ValidationError = z.object({
  property: z.optional(z.string()),
  constraints: z.optional(z.record(z.string(), z.string())),
})
export type ValidationError = z.output<typeof ValidationError>

/** Body of every refusal (published `ErrorResponse`). `name` is for programs, `msg` for users. */
export const ErrorBody = z.object({
  error: z.object({
    name: z.string(),
    msg: z.string(),
    validator_error: z.optional(z.array(ValidationError)),
    options: z.record(z.string(), z.unknown()),
    data: z.record(z.string(), z.unknown()),
  }),
})
export type ErrorBody = z.output<typeof ErrorBody>
