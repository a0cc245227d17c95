// Messages of YouTube's live chat (developers.google.com/youtube/v3/live/docs/liveChatMessages) as chat events.
import * as z from 'zod/mini'
import type { ChatEvent, ChatRole, ChatSender, PlatformMessage } from '#server/core/chat.ts'

const text = z._default(z.string(), '')
const flag = z._default(z.boolean(), false)
const Paid = z.object({
  amountMicros: z.union([z.string(), z.number()]),
  currency: text,
  amountDisplayString: text,
  userComment: text,
})

const Item = z.object({
  id: z.string(),
  snippet: z.object({
    type: z.string(),
    authorChannelId: text,
    publishedAt: text,
    displayMessage: text,
    superChatDetails: z.optional(Paid),
    superStickerDetails: z.optional(
      z.extend(Paid, { userComment: text, superStickerMetadata: z.optional(z.object({ altText: text })) }),
    ),
    messageDeletedDetails: z.optional(z.object({ deletedMessageId: z.string() })),
    messageRetractedDetails: z.optional(z.object({ retractedMessageId: z.string() })),
    userBannedDetails: z.optional(z.object({ bannedUserDetails: z.object({ channelId: z.string() }) })),
  }),
  authorDetails: z.optional(
    z.object({
      channelId: text,
      displayName: text,
      profileImageUrl: text,
      isChatOwner: flag,
      isChatModerator: flag,
      isChatSponsor: flag,
      isVerified: flag,
    }),
  ),
})

/** A page of messages: one answer of `list`, one element of the stream. */
export const Page = z.object({
  nextPageToken: z.optional(z.string()),
  pollingIntervalMillis: z.optional(z.number()),
  offlineAt: z.optional(z.string()),
  items: z._default(z.array(z.unknown()), []),
})

const kinds: Readonly<Record<string, PlatformMessage['kind']>> = {
  textMessageEvent: 'message',
  superChatEvent: 'paid',
  superStickerEvent: 'paid',
  newSponsorEvent: 'member',
  memberMilestoneChatEvent: 'member',
  membershipGiftingEvent: 'member',
  giftMembershipReceivedEvent: 'member',
}

/** Options of `youtubeEvent`. */
interface Reading {
  /** The connected account's channel. */
  readonly ownId: string | null
  /** Messages published before are late. */
  readonly since: Date
  readonly cursor: string | undefined
}

/** Returns the event of an item that is no message. */
function changeOf(snippet: z.output<typeof Item>['snippet']): ChatEvent | null {
  const deleted = snippet.messageDeletedDetails?.deletedMessageId ?? snippet.messageRetractedDetails?.retractedMessageId
  if (deleted !== undefined) return { is: 'deleted', id: deleted }
  const banned = snippet.userBannedDetails?.bannedUserDetails.channelId
  if (banned !== undefined) return { is: 'cleared', senderId: banned }
  return snippet.type === 'chatEndedEvent' ? { is: 'ended' } : null
}

/** Converts an item. @returns null for items that are no events of ours, undefined for malformed ones */
export function youtubeEvent(item: unknown, { ownId, since, cursor }: Reading): ChatEvent | null | undefined {
  const parsed = Item.safeParse(item)
  if (!parsed.success) return undefined
  const { id, snippet, authorDetails } = parsed.data
  const change = changeOf(snippet)
  if (change) return change
  const kind = kinds[snippet.type]
  if (!kind) return null
  const createdAt = new Date(snippet.publishedAt)
  const senderId = authorDetails?.channelId || snippet.authorChannelId
  const paid = snippet.superChatDetails ?? snippet.superStickerDetails
  const body =
    snippet.superChatDetails?.userComment ||
    snippet.superStickerDetails?.superStickerMetadata?.altText ||
    snippet.displayMessage
  const message: PlatformMessage = {
    id,
    kind,
    text: body,
    entities: [{ type: 'text', text: body }],
    sender: senderOf(senderId, authorDetails),
    createdAt,
    ...(paid && {
      paid: {
        amount: minorOf(Number(paid.amountMicros), paid.currency),
        currency: paid.currency,
        text: paid.amountDisplayString,
      },
    }),
    ...(createdAt < since ? { late: true as const } : {}),
    ...(ownId !== null && senderId === ownId ? { own: true as const } : {}),
  }
  return { is: 'message', message, ...(cursor === undefined ? {} : { cursor }) }
}

function senderOf(id: string, author: z.output<typeof Item>['authorDetails']): ChatSender {
  const roles: ChatRole[] = []
  if (author?.isChatOwner) roles.push('owner')
  if (author?.isChatModerator) roles.push('moderator')
  if (author?.isChatSponsor) roles.push('member')
  return {
    id,
    name: author?.displayName ?? '',
    ...(author && author.profileImageUrl !== '' ? { avatar: author.profileImageUrl } : {}),
    badges: author?.isVerified ? [{ id: 'verified', title: 'verified' }] : [],
    roles,
  }
}

/** Converts millionths of a unit to minor units. */
function minorOf(micros: number, currency: string): number {
  let digits = 2
  try {
    digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  } catch {
    // An unknown currency has two digits.
  }
  return Number.isFinite(micros) ? Math.round((micros * 10 ** digits) / 1_000_000) : 0
}
