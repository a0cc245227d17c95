// Tables of environment variables: name, schema, default and description.
import * as z from 'zod/mini'

/** A variable: its schema, its default, and its description. */
export interface Variable<T extends z.ZodMiniType = z.ZodMiniType> {
  readonly schema: T
  readonly unset: string
  readonly about: string
}

export const variable = <T extends z.ZodMiniType>(schema: T, unset: string, about: string): Variable<T> => ({
  schema,
  unset,
  about,
})

/** Schema of an integer in a range. */
export const whole = (min: number, max: number) =>
  z.pipe(z.string().check(z.regex(/^\d+$/)), z.pipe(z.transform(Number), z.int().check(z.minimum(min), z.maximum(max))))
/** Schema of a port, or `off`. */
export const portOrOff = z.union([z.literal('off'), whole(0, 65_535)])
/** Schema of `on` or `off`. */
export const flag = z.pipe(
  z.enum(['on', 'off']),
  z.transform((value) => value === 'on'),
)

/** An invalid configuration. The message names the variable and the accepted values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Variables whose value is a secret, or may contain a password: messages do not repeat it. */
const isSecret = (name: string): boolean => /(?:SECRET|TOKEN|KEY)$|^(?:SMTP|DATABASE)_URL$/.test(name)

/** Values of a table, by variable. */
export type ReadVariables<T extends Readonly<Record<string, Variable>>> = {
  readonly [K in keyof T]: z.output<T[K]['schema']>
}

/** Reads the variables of a table. @throws ConfigError for the first invalid one */
export function readVariables<T extends Readonly<Record<string, Variable>>>(
  table: T,
  env: Readonly<Record<string, string | undefined>>,
): ReadVariables<T> {
  const entries = Object.entries(table).map(([name, { schema, unset, about }]) => {
    const value = env[name]?.trim() ?? unset
    const read = z.safeParse<z.ZodMiniType>(schema, value)
    if (!read.success)
      throw new ConfigError(`${name} is not valid${isSecret(name) ? '' : `, got "${value}"`}. ${about}`)
    return [name, read.data]
  })
  return Object.fromEntries(entries) as ReadVariables<T>
}
