// Text of a message about one notification or several, without markup.
import { fill } from '#server/core/locale.ts'
import type { Message } from '#server/domain/notifications/outbox.ts'
import { textsIn } from '#server/domain/notifications/texts.ts'

/** A composed message. */
export interface Composed {
  readonly title: string
  readonly text: string
  /** Address that it leads to; null without PUBLIC_URL. */
  readonly url: string | null
}

const shownMax = 10

/** Composes a message. @param origin public origin of links; null: none */
export function compose({ items, language, projectId }: Message, origin: string | null): Composed {
  const linked = (link: string | null): string | null => (origin === null || link === null ? null : `${origin}${link}`)
  const [only] = items
  if (only && items.length === 1) return { title: only.title, text: only.text, url: linked(only.link) }
  const shown = items.slice(0, shownMax).map(({ title }) => `• ${title}`)
  const more = items.length > shown.length ? ['…'] : []
  return {
    title: fill(textsIn(language).several, { count: items.length }),
    text: [...shown, ...more].join('\n'),
    url: linked(`/p/${projectId}/notifications`),
  }
}
