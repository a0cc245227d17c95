// Stream form of a platform, derived from the contract: fields, order and limits.
import { forms } from '#contract/platforms/forms.gen.ts'
import type { Schema } from '#contract/core/operation.ts'
import type { StreamInfo } from '#contract/entities/channel.ts'
import type { FormPlatform } from '#contract/platforms/platforms.ts'
import { isOptional, maxOf, wordsOf } from '#src/areas/channels/limits.ts'

/** Values of a form: text, `true`/`false` for switches, tags as comma-separated text. */
export type StreamValues = Readonly<Record<string, string | boolean>>

/** Input kind of a field. Categories and playlists have their own components. */
export type StreamField =
  | { readonly name: string; readonly kind: 'line'; readonly max: number }
  | { readonly name: string; readonly kind: 'text'; readonly max: number }
  | { readonly name: string; readonly kind: 'tags'; readonly max: number }
  | { readonly name: string; readonly kind: 'image'; readonly max: number }
  | { readonly name: string; readonly kind: 'choice'; readonly words: readonly string[] }
  | { readonly name: string; readonly kind: 'flag' }

const schemasOf = (type: FormPlatform) => forms[type].fields.shape as Readonly<Record<string, Schema>>
/** Fields without a generic input: categories and playlists have their own; `domain` keeps the platform's value. */
const own = /^(category|playlist|domain$)/

/** Fields of a platform in contract order. */
export const fieldsOf = (type: FormPlatform): StreamField[] =>
  Object.entries(schemasOf(type)).flatMap(([name, schema]): StreamField[] => {
    if (own.test(name)) return []
    const words = wordsOf(schema)
    if (words) return [{ name, kind: 'choice', words }]
    if (name === 'tags') return [{ name, kind: 'tags', max: maxOf(schema) }]
    if (name === 'description') return [{ name, kind: 'text', max: maxOf(schema) }]
    if (name === 'image') return [{ name, kind: 'image', max: maxOf(schema) }]
    const isFlag = ['wall', 'disable_auto_end'].includes(name)
    return [isFlag ? { name, kind: 'flag' } : { name, kind: 'line', max: maxOf(schema) }]
  })

/** Returns whether the platform accepts this field. */
export const hasField = (type: FormPlatform, name: string): boolean => name in schemasOf(type)

const textsOf = (info: Partial<StreamInfo>): Readonly<Record<string, string | undefined>> => ({
  title: info.title,
  description: info.description,
  lang: info.lang,
  tags: info.tags?.join(', '),
  category_id: info.category?.id,
  category_name: info.category?.name,
  category_secondary_id: info.category?.secondary?.id,
  category_secondary_name: info.category?.secondary?.name,
  playlist_id: info.playlist?.id,
  privacy_video: info.privacyVideo,
  privacy_comments: info.privacyComments,
  latency: info.latency,
  audience: info.audience,
  image: info.image,
  domain: info.domain ?? 'live.twitch.tv',
})

/** Form values from the platform's settings. Responses are camelCase, forms are snake_case. */
export function valuesOf(type: FormPlatform, info: Partial<StreamInfo> | null | undefined): StreamValues {
  const flags = { wall: info?.wall ?? false, disable_auto_end: info?.disableAutoEnd ?? false }
  const known: StreamValues = { ...compact(textsOf(info ?? {})), ...flags }
  return Object.fromEntries(Object.keys(schemasOf(type)).map((name) => [name, known[name] ?? '']))
}

const compact = (texts: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text ?? '']))

const tagsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
]

/** Form values as operation input, without empty optional fields. */
export function streamInputOf(type: FormPlatform, values: StreamValues): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schemasOf(type)).flatMap(([name, schema]) => {
      const value = name === 'tags' ? tagsIn(String(values[name] ?? '')) : values[name]
      const isEmpty = value === '' || value === undefined || (Array.isArray(value) && value.length === 0)
      return isEmpty && isOptional(schema) ? [] : [[name, value ?? '']]
    }),
  )
}
