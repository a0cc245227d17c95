// Comments of VK videos on the wire (dev.vk.com/method/video.getComments, long poll of video.getLongPollServer), and as messages.
import * as z from 'zod/mini'
import { type ChatEntity, type ChatSender, type PlatformMessage, textOfEntities } from '#server/core/chat.ts'
import { splitText } from './split-text.ts'

const Person = z.object({
  id: z.int(),
  first_name: z._default(z.string(), ''),
  last_name: z._default(z.string(), ''),
  screen_name: z.optional(z.string()),
  photo_100: z._default(z.string(), ''),
})
const Group = z.object({ id: z.int(), name: z._default(z.string(), ''), photo_100: z._default(z.string(), '') })
const Image = z.object({ url: z.string(), width: z.number() })
const Attachment = z.object({
  type: z.string(),
  sticker: z.optional(z.object({ sticker_id: z.int(), images: z._default(z.array(Image), []) })),
})
const Comment = z.object({
  id: z.int().check(z.minimum(1)),
  from_id: z.int(),
  date: z.number(),
  text: z._default(z.string(), ''),
  reply_to_comment: z.optional(z.int()),
  deleted: z.optional(z.unknown()),
  attachments: z._default(z.array(z.unknown()), []),
})
type Comment = z.output<typeof Comment>

/** Page of `video.getComments` with `extended`. */
export const Comments = z.object({
  items: z.array(z.unknown()),
  profiles: z._default(z.array(z.unknown()), []),
  groups: z._default(z.array(z.unknown()), []),
})
/** Response of the long poll. `failed` 1: old `ts`, 2: the key ended, 3: the state is lost. */
export const Poll = z.object({
  ts: z.optional(z.union([z.string(), z.number()])),
  failed: z.optional(z.int()),
  events: z._default(z.array(z.unknown()), []),
})
const PollEvent = z.object({
  type: z.string(),
  comment: z.optional(z.unknown()),
  comment_id: z.optional(z.int()),
  user: z.optional(z.unknown()),
  group: z.optional(z.unknown()),
})

/** An event of the long poll; null for one without a meaning for chat, undefined for one that cannot be read. */
export type ReadEvent = { readonly message: PlatformMessage } | { readonly deleted: string } | null | undefined

/** The chat's owner and the connected account, as VK numbers them: communities are negative. */
export interface VkIds {
  readonly owner: string
  readonly account: string | null
}

const commented = ['video_comment_new', 'video_special_comment_new']

/** Reads an event: an object, or its JSON with a suffix such as `<!>0`. */
export function readEvent(raw: unknown, ids: VkIds): ReadEvent {
  const { data } = PollEvent.safeParse(typeof raw === 'string' ? parsed(raw) : raw)
  if (!data) return undefined
  const { data: comment } = Comment.safeParse(data.comment)
  if (data.type === 'video_comment_delete') {
    const id = data.comment_id ?? comment?.id
    return id === undefined ? undefined : { deleted: String(id) }
  }
  if (!commented.includes(data.type)) return null
  if (!comment) return undefined
  return { message: messageOf(comment, ids, [data.user], [data.group]) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.slice(0, text.lastIndexOf('}') + 1)) as unknown
  } catch {
    return undefined
  }
}

/** Reads a page of comments, oldest first. @returns undefined for comments that cannot be read */
export function readComments(page: z.output<typeof Comments>, ids: VkIds): (PlatformMessage | null | undefined)[] {
  return page.items.map((item) => {
    const { data } = Comment.safeParse(item)
    if (!data) return undefined
    return data.deleted ? null : messageOf(data, ids, page.profiles, page.groups)
  })
}

function messageOf(
  comment: Comment,
  ids: VkIds,
  profiles: readonly unknown[],
  groups: readonly unknown[],
): PlatformMessage {
  const sender = senderOf(comment.from_id, ids, profiles, groups)
  const entities = [...entitiesOf(comment.text), ...comment.attachments.flatMap(stickerOf)]
  const isOwn = sender.id === ids.account || (ids.owner.startsWith('-') && sender.id === ids.owner)
  return {
    id: String(comment.id),
    kind: 'message',
    text: textOfEntities(entities),
    entities,
    sender,
    createdAt: new Date(comment.date * 1000),
    ...(comment.reply_to_comment ? { replyTo: String(comment.reply_to_comment) } : {}),
    ...(isOwn ? { own: true as const } : {}),
  }
}

function senderOf(id: number, { owner }: VkIds, profiles: readonly unknown[], groups: readonly unknown[]): ChatSender {
  const known = id < 0 ? groups.flatMap((one) => Group.safeParse(one).data ?? []) : []
  const group = known.find((one) => one.id === -id)
  const person = profiles.flatMap((one) => Person.safeParse(one).data ?? []).find((one) => one.id === id)
  const name = group?.name ?? `${person?.first_name ?? ''} ${person?.last_name ?? ''}`.trim()
  return {
    id: String(id),
    name,
    ...(person?.screen_name === undefined ? {} : { login: person.screen_name }),
    avatar: group?.photo_100 ?? person?.photo_100 ?? '',
    badges: [],
    roles: String(id) === owner ? ['owner'] : [],
  }
}

/** Splits a text at mentions, `[id1|Ann]`. */
const entitiesOf = (text: string): ChatEntity[] =>
  splitText(text, /\[(id|club|public)(\d{1,15})\|([^\]|]{1,100})\]/g, ([, kind, id, name = '']) => ({
    type: 'mention',
    id: `${kind === 'id' ? '' : '-'}${id}`,
    text: name,
  }))

function stickerOf(raw: unknown): ChatEntity[] {
  const sticker = Attachment.safeParse(raw).data?.sticker
  if (!sticker) return []
  const image = sticker.images.find(({ width }) => width >= 64) ?? sticker.images.at(-1)
  return [{ type: 'emoji', id: `sticker-${sticker.sticker_id}`, name: '[sticker]', image: image?.url ?? null }]
}
