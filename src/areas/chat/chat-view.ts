// Filters and side panel of the chat page, stored in the URL so that they survive a reload and can be shared.
import { foldText } from '#contract/core/fold.ts'
import type { ChatCapability, ChatMessage } from '#contract/entities/chat-message.ts'
import { platformTypes } from '#contract/platforms/platforms.ts'
import type { ServedFilter } from './use-chat.ts'

export const onlyFilters = ['paid', 'mentions', 'questions'] as const
export const panels = ['people', 'log', 'settings', 'keys', 'widgets'] as const
export type Panel = (typeof panels)[number]

export interface View {
  readonly platform: string
  readonly only: (typeof onlyFilters)[number] | ''
  /** `yes`: with hidden messages. */
  readonly hidden: 'yes' | ''
  readonly q: string
  readonly panel: Panel | ''
}

export const emptyView: View = { platform: '', only: '', hidden: '', q: '', panel: '' }

/** Reads the view from the URL; invalid values fall back to defaults. */
export const readView = (params: URLSearchParams): View => ({
  platform: platformTypes.find((type) => type === params.get('platform')) ?? '',
  only: onlyFilters.find((one) => one === params.get('only')) ?? '',
  hidden: params.get('hidden') === 'yes' ? 'yes' : '',
  q: (params.get('q') ?? '').slice(0, 100),
  panel: panels.find((one) => one === params.get('panel')) ?? '',
})

/** The view as URL parameters without defaults. */
export const writeView = (view: View, change: Partial<View>): URLSearchParams =>
  new URLSearchParams(Object.entries({ ...view, ...change }).filter(([, value]) => value !== ''))

/** The part of a view that the service filters. */
export function servedFilter({ platform, hidden, q }: View, rows: readonly ChatCapability[]): ServedFilter {
  const of = rows.filter((row) => row.platform === platform && row.restream_id !== null)
  const only = of.length === 1 ? of[0]?.restream_id : null
  return {
    ...(q.trim() !== '' && { q: q.trim() }),
    ...(only && { restream_id: only }),
    ...(hidden !== '' && { hidden: true }),
  }
}

/**
 * The filter of the list; null when all messages fit.
 * @param isMention names the user or a highlighted word
 */
export function fitsOf(
  { platform, only, q }: View,
  isMention: (message: ChatMessage) => boolean,
): ((message: ChatMessage) => boolean) | null {
  const folded = fold(q)
  if (platform === '' && only === '' && folded === '') return null
  return (message) =>
    (platform === '' || message.restreams.some((one) => one.platform === platform)) &&
    (only !== 'paid' || message.kind === 'paid') &&
    (only !== 'mentions' || isMention(message)) &&
    (only !== 'questions' || /[?？]/.test(message.text)) &&
    (folded === '' || fold(message.text).includes(folded) || fold(message.sender.name).includes(folded))
}

const fold = (text: string): string => foldText(text.trim())

/**
 * Returns a test whether a message names the user: a highlighted word, or a mention of one of the channels.
 * @param words highlighted words
 * @param rows chats of the project, whose names count
 */
export function mentionOf(
  words: readonly string[],
  rows: readonly ChatCapability[],
): (message: ChatMessage) => boolean {
  const named = words.map(fold).filter(Boolean)
  const names = new Set(rows.map(({ name }) => `@${fold(name)}`))
  return ({ text, entities, is_outgoing }) =>
    !is_outgoing &&
    (entities.some((one) => one.type === 'mention' && names.has(fold(one.text))) ||
      named.some((word) => fold(text).includes(word)))
}
