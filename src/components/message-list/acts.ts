// Acts on a message, by menu and by key. The page of the list decides which of them a message allows.
import type { ChatMessage } from '#contract/entities/chat-message.ts'

export const actNames = [
  'reply',
  'person',
  'star',
  'unstar',
  'delete',
  'timeout',
  'untimeout',
  'ban',
  'unban',
  'hide',
  'show',
] as const
export type ActName = (typeof actNames)[number]

/** An act that a message allows. `seconds`: duration of a timeout. */
export interface Act {
  readonly name: ActName
  readonly seconds?: number
}

/** Acts of one message, and sentences about those that are missing. */
export interface Allowed {
  readonly acts: readonly Act[]
  /** Reasons, by act; a key of a missing act announces its reason. */
  readonly missing: Partial<Record<ActName, string>>
}

export type ActsOf = (message: ChatMessage) => Allowed
export type OnAct = (act: Act, message: ChatMessage) => void
/** Returns a function that sends a message again to a target; null: the target accepts nothing now. */
export type AgainOf = (message: ChatMessage, restreamId: number) => (() => void) | null

/** Keys of acts, as `KeyboardEvent.key` in lower case. */
export const actKeys: Readonly<Record<string, ActName>> = {
  r: 'reply',
  p: 'person',
  s: 'star',
  delete: 'delete',
  t: 'timeout',
  b: 'ban',
  h: 'hide',
}

/** Durations of timeouts in seconds: 1 and 10 minutes, 1 hour. */
export const timeoutSeconds = [60, 600, 3_600] as const

/** Acts that a key runs instead, where its own act is done already. */
export const opposites: Readonly<Partial<Record<ActName, ActName>>> = {
  star: 'unstar',
  timeout: 'untimeout',
  ban: 'unban',
  hide: 'show',
}

/** Class of the place that an act has in the menu: acts on the person come after those on the message. */
export const isDanger = ({ name }: Act): boolean => name === 'ban' || name === 'delete'
