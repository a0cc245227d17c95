// Stream settings of a channel: writes use snake_case, reads camelCase (published).
import type { StreamInfo } from '#contract/entities/channel.ts'

/** Stored settings, in the names of the wire's writes. */
export type StoredSettings = Readonly<Record<string, unknown>>

/** Parses stored settings. */
export const readSettings = (text: string): StoredSettings => JSON.parse(text) as StoredSettings

/** Fields that differ in spelling only. */
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

/** Returns settings in the names of the wire's reads. */
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
