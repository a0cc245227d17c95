// Parts of a chat message as pages show them. Everything in a message is hostile: texts stay texts, and only addresses
// with http(s) become links and images.
import type { ChatMessage } from '#contract/entities/chat-message.ts'

export type TextPart =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'image'; readonly text: string; readonly src: string }
  | { readonly is: 'mention'; readonly text: string }
  | { readonly is: 'link'; readonly text: string; readonly href: string }

/** Returns the parts of a message's text in reading order. A message without entities is one text. */
export function partsOf({ text, entities }: Pick<ChatMessage, 'text' | 'entities'>): readonly TextPart[] {
  if (entities.length === 0) return withLinks(text)
  return entities.flatMap((entity): readonly TextPart[] => {
    if (entity.type === 'emoji') {
      const src = imageOf(entity.image)
      return [src ? { is: 'image', text: entity.name, src } : { is: 'text', text: entity.name }]
    }
    if (entity.type === 'link') {
      const href = linkOf(entity.url)
      return [href ? { is: 'link', text: entity.text, href } : { is: 'text', text: entity.text }]
    }
    return entity.type === 'mention' ? [{ is: 'mention', text: entity.text }] : withLinks(entity.text)
  })
}

/** An address in a text. Punctuation after it belongs to the sentence. */
const address = /(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}…])/i

/** Splits a text at its addresses: most platforms send them as text. */
function withLinks(text: string): readonly TextPart[] {
  if (!text.includes('://')) return text === '' ? [] : [{ is: 'text', text }]
  return text.split(address).flatMap((part, index): readonly TextPart[] => {
    const href = index % 2 === 1 ? linkOf(part) : null
    if (href) return [{ is: 'link', text: part, href }]
    return part === '' ? [] : [{ is: 'text', text: part }]
  })
}

/** Returns an image address with HTTPS, else null. */
export const imageOf = (src: string | null | undefined): string | null => addressOf(src, ['https:'])

/** Returns an address that a link may have, else null. */
export const linkOf = (href: string | null | undefined): string | null => addressOf(href, ['http:', 'https:'])

function addressOf(text: string | null | undefined, protocols: readonly string[]): string | null {
  if (!text) return null
  try {
    const { protocol, href } = new URL(text)
    return protocols.includes(protocol) ? href : null
  } catch {
    return null
  }
}

/** Returns a sender's colour as `#rrggbb`, else null: nothing else from outside reaches a style. */
export const colorOf = (color: string | null | undefined): string | null =>
  color && /^#[\da-f]{6}$/i.test(color) ? color : null
