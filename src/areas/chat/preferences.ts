// Preferences of the chat in this browser: announcements and highlighted words.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { type AnnounceMode, announceModes } from '#src/components/message-list/announcements.ts'
import { recall, remember } from '#src/lib/storage.ts'

interface Preferences {
  /** New messages that screen readers announce. */
  readonly announce: AnnounceMode
  /** Highlighted words. */
  readonly words: readonly string[]
}

const maxWords = 50

const store = createStore<Preferences>(() => ({
  announce: announceModes.find((mode) => mode === recall('chat.announce')) ?? 'important',
  words: wordsOf(recall('chat.words') ?? ''),
}))

export const usePreferences = (): Preferences => useStore(store)

/** Changes and stores preferences. */
export function setPreferences(change: Partial<Preferences>): void {
  store.setState(change)
  const { announce, words } = store.getState()
  remember('chat.announce', announce)
  remember('chat.words', words.length === 0 ? null : words.join('\n'))
}

/** Words of a text, one a line. */
export function wordsOf(text: string): string[] {
  const words = text.split('\n').map((word) => word.trim())
  return words.filter(Boolean).slice(0, maxWords)
}
