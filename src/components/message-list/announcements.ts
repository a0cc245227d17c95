// Announcements of new messages to screen readers: at most one a second, the rest as a number.
import type { ChatMessage } from '#contract/entities/chat-message.ts'

/** Kinds of messages that are announced. */
export const announceModes = ['off', 'important', 'all'] as const
export type AnnounceMode = (typeof announceModes)[number]

const everyMs = 1_000
/** Characters of a text that are announced. */
const maxText = 160

export interface Announced {
  readonly name: string
  readonly text: string
  /** Messages that arrived meanwhile and are not announced. */
  readonly more: number
}

type Later = (run: () => void, ms: number) => () => void

/**
 * Collects messages and announces the first one immediately, then the latest one each second with the number of others.
 * @param say called with each announcement
 */
export function createAnnouncements(say: (announced: Announced) => void, later: Later = timeout) {
  let isResting = false
  let latest: ChatMessage | null = null
  let count = 0
  let cancel = () => {}

  function tell(): void {
    if (!latest) return
    say({ name: latest.sender.name, text: latest.text.slice(0, maxText), more: count - 1 })
    latest = null
    count = 0
    isResting = true
    cancel = later(() => {
      isResting = false
      tell()
    }, everyMs)
  }

  return {
    add: (message: ChatMessage) => {
      latest = message
      count += 1
      if (!isResting) tell()
    },
    stop: () => cancel(),
  }
}

/** Returns whether a mode announces a message; own messages never are. */
export function isAnnounced(mode: AnnounceMode, message: ChatMessage, isMention: (message: ChatMessage) => boolean) {
  if (mode === 'off' || message.is_outgoing || message.hidden || message.deleted) return false
  return mode === 'all' || message.kind === 'paid' || isMention(message)
}

function timeout(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
