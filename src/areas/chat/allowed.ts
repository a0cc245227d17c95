// Acts that the chat of a message allows, from its row of abilities. An act that the row denies has a reason in place of a control.
import type { ChatCapability, ChatMessage } from '#contract/entities/chat-message.ts'
import { type Act, type ActName, type Allowed, timeoutSeconds } from '#src/components/message-list/acts.ts'

/** Why an act is missing: what the row needs, or a limit of the platform. */
export type Missing = NonNullable<ChatCapability['needs']> | 'unsupported' | 'off' | 'role'

export interface Standing {
  /** The caller may send and moderate. */
  readonly mayWrite: boolean
  /** The author is timed out or banned, as far as this page knows. */
  readonly restricted: 'timeout' | 'ban' | null
  /** Overlays show the message until it is cleared. */
  readonly isStarred: boolean
}

/**
 * Returns the acts on a message.
 * @param row abilities of the chat that the message is from; absent: the chat is not on air
 * @param wordsOf sentence for a missing act
 */
export function allowedActs(
  message: ChatMessage,
  row: ChatCapability | undefined,
  { mayWrite, restricted, isStarred }: Standing,
  wordsOf: (missing: Missing, act: ActName) => string,
): Allowed {
  const why: Missing = !mayWrite ? 'role' : !row ? 'off' : (row.needs ?? 'unsupported')
  const offers = [
    ...(message.is_outgoing ? [] : ([...(message.deleted ? [] : [offer('reply', row?.reply)]), person] as const)),
    ...(mayWrite && canStar(message) ? [offer(isStarred ? 'unstar' : 'star', true)] : []),
    ...(message.deleted ? [] : [offer('delete', row?.delete)]),
    ...(mayWrite && (!message.deleted || message.hidden) ? [offer(message.hidden ? 'show' : 'hide', true)] : []),
    ...(message.is_outgoing ? [] : onAuthor(row, restricted)),
  ]
  const isAllowed = ({ name, can }: Offer) => name === 'person' || (mayWrite && can)
  return {
    acts: offers.filter(isAllowed).flatMap(({ acts }) => acts),
    missing: Object.fromEntries(offers.filter((one) => !isAllowed(one)).map(({ name }) => [name, wordsOf(why, name)])),
  }
}

/** Samples are not stored, so nothing can refer to them. */
const canStar = ({ deleted, hidden, seq }: ChatMessage): boolean => !deleted && hidden === null && seq > 0

/** An act that a message could have, and whether its chat can do it. */
interface Offer {
  readonly name: ActName
  readonly can: boolean
  readonly acts: readonly Act[]
}

const offer = (name: ActName, can = false, acts: readonly Act[] = [{ name }]): Offer => ({ name, can, acts })
const person = offer('person', true)

/** Acts on the author: the opposite of what was done already. */
function onAuthor(row: ChatCapability | undefined, restricted: Standing['restricted']): readonly Offer[] {
  const canTimeOut = row?.restricts === 'timeout'
  const canBan = canTimeOut || row?.restricts === 'ban'
  return [
    ...(restricted === null ? [offer('timeout', canTimeOut, timeouts(row?.timeout_max ?? null))] : []),
    ...(restricted === 'timeout' ? [offer('untimeout', canTimeOut)] : []),
    offer(restricted === 'ban' ? 'unban' : 'ban', canBan),
  ]
}

const timeouts = (max: number | null): Act[] =>
  timeoutSeconds.filter((seconds) => max === null || seconds <= max).map((seconds) => ({ name: 'timeout', seconds }))

/** The row of the chat that a message is from, by its restream. */
export const rowOfMessage = ({ restreams }: ChatMessage, rows: readonly ChatCapability[]): ChatCapability | undefined =>
  rows.find(({ restream_id }) => restream_id === restreams[0]?.restream_id)
