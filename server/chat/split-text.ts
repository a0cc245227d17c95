// Texts in which a platform writes emotes or mentions.
import type { ChatEntity } from '#server/core/chat.ts'

/**
 * Splits a text at its matches.
 * @param pattern with the flag `g`
 * @param entityOf null: the match stays a text
 */
export function splitText(
  text: string,
  pattern: RegExp,
  entityOf: (match: RegExpExecArray) => ChatEntity | null,
): ChatEntity[] {
  const entities: ChatEntity[] = []
  let from = 0
  for (const match of text.matchAll(pattern)) {
    const entity = entityOf(match)
    if (!entity) continue
    if (match.index > from) entities.push({ type: 'text', text: text.slice(from, match.index) })
    entities.push(entity)
    from = match.index + match[0].length
  }
  if (from < text.length) entities.push({ type: 'text', text: text.slice(from) })
  return entities
}
