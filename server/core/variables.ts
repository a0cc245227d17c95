// Environment variables as tables: what each is called, how it is read, what it is without one.
import * as z from 'zod/mini'

/** A variable: how it is read, what it is when it is not set, and what it is for. */
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

/** A whole number. */
export const whole = (min: number, max: number) =>
  z.pipe(z.string().check(z.regex(/^\d+$/)), z.pipe(z.transform(Number), z.int().check(z.minimum(min), z.maximum(max))))
/** A port, or `off`. */
export const portOrOff = z.union([z.literal('off'), whole(0, 65_535)])
/** `on` or `off`. */
export const flag = z.pipe(
  z.enum(['on', 'off']),
  z.transform((value) => value === 'on'),
)

/** A configuration that cannot be used. The message names the variable and says what to set. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Variables whose value is a secret, or may contain a password: messages do not repeat it. */
const isSecret = (name: string): boolean => /(?:SECRET|TOKEN|KEY)$|^(?:SMTP|DATABASE)_URL$/.test(name)

/** What a table says, by variable. */
export type ReadVariables<T extends Readonly<Record<string, Variable>>> = {
  readonly [K in keyof T]: z.output<T[K]['schema']>
}

/** Reads the variables of a table. @throws ConfigError for the first that cannot be read */
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
