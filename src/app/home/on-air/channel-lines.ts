// Channels of the control room: those that receive the stream, and those that are off.
import type { Restream } from '#contract/entities/on-air.ts'
import type { Channel } from '#contract/entities/channel.ts'

/** A channel with its output; at least one of the two is defined. */
export interface ChannelLine {
  readonly key: string
  readonly channel: Channel | undefined
  readonly restream: Restream | undefined
}

/**
 * Splits the channels into on and off, each in the order of the project. Outputs of deleted channels come last among
 * those that are on.
 * @param kept ids of channels that stay in the list `on`
 */
export function linesOf(
  channels: readonly Channel[],
  restreams: readonly Restream[],
  kept: ReadonlySet<number> = new Set(),
): { readonly on: readonly ChannelLine[]; readonly off: readonly ChannelLine[] } {
  const known = new Set(channels.map(({ group_id }) => group_id))
  const lines = channels.map((channel) => ({
    key: String(channel.group_id),
    channel,
    restream: restreams.find(({ channel_id }) => channel_id === channel.group_id),
  }))
  const others = restreams
    .filter(({ channel_id }) => channel_id === undefined || !known.has(channel_id))
    .map((restream) => ({ key: keyOf(restream), channel: undefined, restream }))
  const isOn = ({ channel, restream }: (typeof lines)[number]) =>
    restream !== undefined || channel.active || kept.has(channel.group_id)
  return { on: [...lines.filter(isOn), ...others], off: lines.filter((line) => !isOn(line)) }
}

/** The key stays the same when the channel of the row loads. */
const keyOf = ({ id, channel_id }: Restream) => (channel_id === undefined ? `restream ${id}` : String(channel_id))

/** Identity of a channel: from the project, else from the start of the broadcast. */
export const identityOf = (channel: Channel | undefined, restream: Restream | undefined) => ({
  name: channel?.name ?? restream?.name ?? '',
  channelId: channel?.group_id ?? restream?.channel_id,
  type: channel?.type ?? restream?.type,
  /** Page at the platform: of this stream, or of the channel. */
  page: restream?.url || channel?.channel_url,
})
