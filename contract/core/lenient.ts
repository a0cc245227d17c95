// Schemas for fields that the published API sends in more than one format.
import * as z from 'zod/mini'

/** A number that some servers send as a decimal string (published oddity 6). Read as a number. */
export const numberish = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^-?\d+(\.\d+)?$/))]),
  z.transform((value: number | string) => Number(value)),
)

/** Nullable optional field; the brief does not specify which (brief 2.2). */
export const maybe = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema))

/** Date-time, or a date: its midnight, UTC. */
export const Moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()])

/** Date-time: ISO 8601, UTC with `Z` (brief 2.2). Other offsets are accepted when reading. */
export const DateTime = z.iso.datetime({ offset: true })
