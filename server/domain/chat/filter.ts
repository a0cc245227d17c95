// Filters of a project: decide which messages are hidden. They change nothing at the platforms.
import type { PlatformType } from '#contract/entities/channel.ts'
import type { ChatSender } from '#server/core/chat.ts'
import type { MessageRow } from './messages-store.ts'
import { folded } from './texts.ts'

/** Filters. */
export interface Filters {
  readonly words: readonly string[]
  readonly hideBots: boolean
  readonly hideCommands: boolean
  /** `mutedKey` of each muted author. */
  readonly muted: ReadonlySet<string>
}

/** Returns the key of an author in `Filters.muted`. */
export const mutedKey = (platform: string, authorId: string): string => `${platform} ${authorId}`

/** Returns why a message is hidden; null: it is visible. Messages of moderators and the owner stay visible. */
export function hiddenBy(
  { words, hideBots, hideCommands, muted }: Filters,
  {
    platform,
    text,
    sender,
  }: { readonly platform: PlatformType; readonly text: string; readonly sender: Pick<ChatSender, 'id' | 'roles'> },
): MessageRow['hidden'] {
  if (sender.roles.includes('owner') || sender.roles.includes('moderator')) return null
  if (muted.has(mutedKey(platform, sender.id))) return 'author'
  if (hideBots && sender.roles.includes('bot')) return 'bot'
  if (hideCommands && text.trimStart().startsWith('!')) return 'command'
  if (words.length === 0) return null
  const searched = folded(text)
  return words.some((word) => searched.includes(folded(word))) ? 'word' : null
}
