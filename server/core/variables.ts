// Settings and the environment variables that they are read from: schema, default, description. A file declares its settings by
// `settings`; registries list them (server/app/settings.gen.ts), and `Settings` is inferred from them.
import { resolve } from 'node:path'
import * as z from 'zod/mini'

/** A variable: its schema, its default, and its description in docs/configuration.md. */
export interface Variable<T extends z.ZodMiniType = z.ZodMiniType> {
  readonly schema: T
  readonly unset: string
  readonly about: string
}

type Variables = Readonly<Record<string, Variable>>

/** Values of a table, by variable. */
export type ReadVariables<T extends Variables> = { readonly [K in keyof T]: z.output<T[K]['schema']> }

/** A setting: the variables that it is made from, and its value. */
export interface Setting<V = unknown> {
  readonly variables: Variables
  /** Reads the value. @throws ConfigError for the first invalid variable */
  read(env: Environment): V
}

/** Environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Values of the settings of a table, by name. */
export type SettingsOf<T> = { readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : never }

export const variable = <T extends z.ZodMiniType>(schema: T, unset: string, about: string): Variable<T> => ({
  schema,
  unset,
  about,
})

/**
 * Declares the settings of a file, by name. Names are unique in the service.
 * @example export const retentionSettings = settings({ chatKeepDays: env('CHAT_KEEP_DAYS', whole(1, 365), '30', 'Days after …') })
 */
export const settings = <const T extends Readonly<Record<string, Setting>>>(table: T): T => table

/**
 * A setting that is one variable.
 * @param unset default, as in the environment
 * @param make makes the value of a valid variable; default: what the schema returns
 */
export function env<T extends z.ZodMiniType>(
  name: string,
  schema: T,
  unset: string,
  about: string,
): Setting<z.output<T>>
export function env<T extends z.ZodMiniType, V>(
  name: string,
  schema: T,
  unset: string,
  about: string,
  make: (value: z.output<T>) => V,
): Setting<V>
export function env(
  name: string,
  schema: z.ZodMiniType,
  unset: string,
  about: string,
  make: (value: unknown) => unknown = (value) => value,
): Setting {
  return several({ [name]: variable(schema, unset, about) }, (values) => make(values[name]))
}

/** A setting that is made from several variables. @param make may throw a ConfigError about their combination */
export function several<const T extends Variables, V>(variables: T, make: (values: ReadVariables<T>) => V): Setting<V> {
  return { variables, read: (environment) => make(readVariables(variables, environment)) }
}

/** Makes an empty variable null. */
export const orNull = (value: string): string | null => (value === '' ? null : value)

export const anyText = z.string()
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
/** Schema of the path of a folder. In the file systems of the kernel there are no files of ours. */
export const folderPath = z.string().check(z.refine((path) => !/^\/(?:proc|sys)(?:\/|$)/.test(resolve(path))))
/** Schema of an origin, for example `https://live.example.com`. */
export const origin = z.string().check(z.refine((value) => URL.parse(value)?.origin === value))
/** Schema of a list, separated by commas or spaces. */
export const list = z.pipe(
  z.string(),
  z.transform((value) => value.split(/[\s,]+/).filter(Boolean)),
)

/** PUBLIC_URL, also for the settings that require it. */
export const publicUrl = variable(
  z.union([z.literal(''), origin]),
  '',
  'Public origin of the service, for example `https://live.example.com`. Required with a mail server. Empty: the address of each request',
)

/** An invalid configuration. The message names the variable and the accepted values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Variables whose value is a secret, or may contain a password: messages do not repeat it. */
const isSecret = (name: string): boolean => /(?:SECRET|TOKEN|KEY)$|^(?:SMTP|DATABASE)_URL$/.test(name)

/** Reads the variables of a table. @throws ConfigError for the first invalid one */
export function readVariables<T extends Variables>(table: T, environment: Environment): ReadVariables<T> {
  const entries = Object.entries(table).map(([name, { schema, unset, about }]) => {
    const value = environment[name]?.trim() ?? unset
    const read = z.safeParse<z.ZodMiniType>(schema, value)
    if (!read.success)
      throw new ConfigError(`${name} is not valid${isSecret(name) ? '' : `, got "${value}"`}. ${about}`)
    return [name, read.data]
  })
  return Object.fromEntries(entries) as ReadVariables<T>
}
