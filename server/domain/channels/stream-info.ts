// What a platform is told about a stream: written in snake_case, read in camelCase (published).
import type { StreamInfo } from '#contract/entities/channel.ts'

/** Settings as they were written, in the names of the wire's writes. */
export type StoredSettings = Readonly<Record<string, unknown>>

/** Reads what the database keeps. */
export const readSettings = (text: string): StoredSettings => JSON.parse(text) as StoredSettings

/** Fields that are called alike on both sides, or only spelled differently. */
const plain = {
  description: 'description',
  lang: 'lang',
  tags: 'tags',
  privacy_video: 'privacyVideo',
  privacy_comments: 'privacyComments',
  latency: 'latency',
  audience: 'audience',
  image: 'image',
  wall: 'wall',
  domain: 'domain',
  disable_auto_end: 'disableAutoEnd',
} as const

/** Settings as reads show them. */
export function streamInfoOf(settings: StoredSettings): StreamInfo {
  const fields = Object.entries(plain)
    .filter(([name]) => settings[name] !== undefined)
    .map(([name, shown]) => [shown, settings[name]])
  const category = named(settings, 'category')
  const secondary = named(settings, 'category_secondary')
  return {
    title: textOf(settings['title']),
    ...Object.fromEntries(fields),
    ...(category ? { category: { ...category, ...(secondary ? { secondary } : {}) } } : {}),
    ...(settings['playlist_id'] === undefined ? {} : { playlist: { id: textOf(settings['playlist_id']) } }),
  }
}

function named(settings: StoredSettings, field: string): { id: string; name: string } | null {
  const id = settings[`${field}_id`]
  return id === undefined ? null : { id: textOf(id), name: textOf(settings[`${field}_name`]) }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
