// Names of realtime channels (published C.2). Prefix `$`: a subscription needs a token. `#`: the project's own
// connection only, without a token.
import { templateId, widgetNumber } from '#contract/entities/widget-kinds.ts'

export const channelTypes = [
  'project',
  'channels',
  'broadcast',
  'broadcast_restreams',
  'broadcast_restream_stats',
  'project_live',
  'widget_template',
  'media_file',
] as const
export type ChannelType = (typeof channelTypes)[number]

/** Channel: its kind, and the number of its project, broadcast, widget or media file. */
export interface Channel {
  readonly type: ChannelType
  readonly id: number
}

const prefixes: readonly (readonly [prefix: string, type: ChannelType])[] = [
  ['project#', 'project'],
  // Newer name of `project#` (2.0 of the client library), for connections other than the project's own.
  ['$project:', 'project'],
  ['$project_channels:', 'channels'],
  ['$broadcast:', 'broadcast'],
  ['$broadcast_restreams:', 'broadcast_restreams'],
  ['$broadcast_restream_stats:', 'broadcast_restream_stats'],
  ['$project_live:', 'project_live'],
  ['$widget_template:', 'widget_template'],
  ['$media_file:', 'media_file'],
]

/** Returns all wire names of a channel; the service publishes under each of them. */
export const channelNames = ({ type, id }: Channel): string[] =>
  prefixes
    .filter(([, of]) => of === type)
    .map(([prefix]) => `${prefix}${type === 'widget_template' ? templateId(id) : id}`)

/** Returns the primary name of a channel. @example channelName('project', 7) // project#7 */
export const channelName = (type: ChannelType, id: number): string => channelNames({ type, id })[0] ?? ''

/** Parses the name of a channel; null for an unknown name. */
export function readChannel(name: string): Channel | null {
  for (const [prefix, type] of prefixes) {
    const digits = name.startsWith(prefix) ? name.slice(prefix.length) : ''
    const id = type === 'widget_template' ? hexOf(digits) : /^[1-9]\d{0,9}$/.test(digits) ? Number(digits) : 0
    if (id > 0) return { type, id }
  }
  return null
}

const hexOf = (digits: string): number => (/^[\da-f]{24}$/.test(digits) ? widgetNumber(digits) : 0)
