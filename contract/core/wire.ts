// Shapes that every operation shares on the wire: common parameters, success, lists, errors.
import * as z from 'zod/mini'
import { apps, languages } from './codes.ts'

/** A language by the wire's own code. */
export const Language = z.enum(languages)
export type Language = z.output<typeof Language>

/** A kind of client. */
export const App = z.enum(apps)
export type App = z.output<typeof App>

/** Values of `v` that every operation accepts (brief 4.1); an operation published with a higher one accepts that too. */
const versions = ['1', '2', '3']

/** The values of `v` that an operation answers to. One that is left out means the operation's own version. */
export const acceptedVersions = (op: { readonly version: string }): readonly string[] => [
  ...new Set([...versions, op.version]),
]

/** Answer of most writes. */
export const Success = z.object({ success: z.boolean() })

/** The id of a row. As large as the databases count, so that nothing larger has to be asked for. */
export const Id = z.int().check(z.minimum(1), z.maximum(2_147_483_647))

/** Input of an operation about one project. */
export const InProject = z.object({ project_id: Id })

/** No parameters beside `v` and `language`. */
export const Nothing = z.object({})

/** Answer of an operation that sends the browser elsewhere (301): the edge turns it into `Location`. */
export const Redirect = z.object({ location: z.string() })

/** `{results}`: an unpaged list. */
export const listOf = <T extends z.ZodMiniType>(item: T) => z.object({ results: z.array(item) })

/** `limit` 1..100 and `offset` from 0, as most published lists take them. */
export const Page = z.object({
  limit: z._default(z.int().check(z.minimum(1), z.maximum(100)), 20),
  offset: z._default(z.int().check(z.minimum(0)), 0),
})

/** `{total, limit, offset, results}`: a paged list. */
export const pageOf = <T extends z.ZodMiniType>(item: T) =>
  z.object({ total: z.int(), limit: z.int(), offset: z.int(), results: z.array(item) })

/** One refused parameter: its name, and the rule it broke with a sentence about it (published `ValidationErrorDto`). */
export const ValidationError = z.object({
  property: z.optional(z.string()),
  constraints: z.optional(z.record(z.string(), z.string())),
})
export type ValidationError = z.output<typeof ValidationError>

/** The body of every refusal (published `ErrorResponse`). `name` is for programs, `msg` for people. */
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
