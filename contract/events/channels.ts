// Channels of the realtime connection by their names on the wire (published C.2). `$` before a name: a subscription needs
// a token. `#` after one: only the connection of that project, which needs none.
export const channelTypes = [
  'project',
  'channels',
  'broadcast',
  'broadcast_restreams',
  'broadcast_restream_stats',
  'project_live',
] as const
export type ChannelType = (typeof channelTypes)[number]

/** A channel: its kind, and the number of the project or the broadcast that it is about. */
export interface Channel {
  readonly type: ChannelType
  readonly id: number
}

const prefixes: readonly (readonly [prefix: string, type: ChannelType])[] = [
  ['project#', 'project'],
  // A later name of the same (2.0 of the client library), for connections that are not the project's own.
  ['$project:', 'project'],
  ['$project_channels:', 'channels'],
  ['$broadcast:', 'broadcast'],
  ['$broadcast_restreams:', 'broadcast_restreams'],
  ['$broadcast_restream_stats:', 'broadcast_restream_stats'],
  ['$project_live:', 'project_live'],
]

/** Every name that a channel has on the wire; what is published in it is published under all of them. */
export const channelNames = ({ type, id }: Channel): string[] =>
  prefixes.filter(([, of]) => of === type).map(([prefix]) => `${prefix}${id}`)

/** What a channel is called first of all. @example channelName('project', 7) // project#7 */
export const channelName = (type: ChannelType, id: number): string => channelNames({ type, id })[0] ?? ''

/** A channel by its name; null for one that nobody knows. */
export function readChannel(name: string): Channel | null {
  for (const [prefix, type] of prefixes) {
    const digits = name.startsWith(prefix) ? name.slice(prefix.length) : ''
    if (/^[1-9]\d{0,9}$/.test(digits)) return { type, id: Number(digits) }
  }
  return null
}
