// Fields that the forms of several platforms share.
import * as z from 'zod/mini'

export const text = (max: number, min = 0) => z.string().check(z.minLength(min), z.maxLength(max))
export const description = text(5000)
export const digits = z.string().check(z.minLength(1), z.maxLength(255), z.regex(/^[0-9]*$/))
export const flag = z.optional(z.boolean())

/** @param one schema of a tag */
export const tags = (one: z.ZodMiniString, max: number) =>
  z.optional(
    z.array(one).check(
      z.minLength(1),
      z.maxLength(max),
      z.refine((values) => new Set(values).size === values.length),
    ),
  )

/** The form of a platform. `operation`: the segment that saves it; `label`: in the name of the operation. */
export interface Form {
  readonly operation: string
  readonly label: string
  readonly fields: z.ZodMiniObject
}
