// Chats that a message is written to.
import type { ChatCapability, ChatMessage } from '#contract/entities/chat-message.ts'

/** Switches by channel; a missing one is on. */
type Chosen = ReadonlyMap<number, boolean>

/** Channels of platforms: an address without a platform never has a chat. */
export const withChat = (rows: readonly ChatCapability[]): readonly ChatCapability[] =>
  rows.filter(({ platform }) => platform !== 'custom' && platform !== 'srt')

/** Switches at the start: all chats, for a reply only the chat that the message is from. */
export function defaultTargets(rows: readonly ChatCapability[], reply: ChatMessage | null): Chosen {
  if (!reply) return new Map()
  const from = reply.restreams[0]?.restream_id
  return new Map(rows.map(({ channel_id, restream_id }) => [channel_id, restream_id === from]))
}

/** Returns whether a chat can be written to: also the platform's limit of requests counts. */
export const isWritable = ({ send, quota }: ChatCapability): boolean => send && quota?.write.left !== 0

/** Chats that can be written to and are on. */
export const chosenTargets = (rows: readonly ChatCapability[], chosen: Chosen): readonly ChatCapability[] =>
  rows.filter((row) => isWritable(row) && row.restream_id !== null && chosen.get(row.channel_id) !== false)

/** Returns whether any chat can be written to. */
export const canWrite = (rows: readonly ChatCapability[]): boolean => chosenTargets(rows, new Map()).length > 0

/** Length of a text as platforms count it: characters, not code units. */
export const lengthOf = (text: string): number => Array.from(text.trim()).length

/** Smallest limit of the chats. */
export const textMax = (targets: readonly ChatCapability[]): number =>
  Math.min(...targets.map(({ text_max }) => text_max))

/** Chats that do not take a text of this length. */
export const tooLongFor = (targets: readonly ChatCapability[], text: string): readonly ChatCapability[] =>
  targets.filter(({ text_max }) => lengthOf(text) > text_max)
