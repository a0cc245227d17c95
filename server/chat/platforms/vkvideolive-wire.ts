// Messages of VK Video Live on the wire (dev.live.vkvideo.ru/docs/schemas/chat), and as events.
import * as z from 'zod/mini'
import {
  type ChatEntity,
  type ChatEvent,
  type ChatRole,
  type PlatformMessage,
  textOfEntities,
} from '#server/core/chat.ts'

const Part = z.object({
  text: z.optional(z.nullable(z.object({ content: z.string() }))),
  link: z.optional(z.nullable(z.object({ content: z._default(z.string(), ''), url: z.string() }))),
  mention: z.optional(z.nullable(z.object({ id: z.number(), nick: z._default(z.string(), '') }))),
  smile: z.optional(
    z.nullable(z.object({ id: z.string(), name: z._default(z.string(), ''), medium_url: z._default(z.string(), '') })),
  ),
})
const Picture = z.object({ id: z.string(), name: z._default(z.string(), ''), small_url: z._default(z.string(), '') })
const Author = z.object({
  id: z.number(),
  nick: z.string(),
  avatar_url: z._default(z.string(), ''),
  nick_color: z.optional(z.int()),
  is_owner: z._default(z.boolean(), false),
  is_moderator: z._default(z.boolean(), false),
  badges: z._default(z.nullable(z.array(Picture)), []),
  roles: z._default(z.nullable(z.array(Picture)), []),
})
/** A message of a chat. */
export const Message = z.object({
  id: z.number(),
  created_at: z.number(),
  is_private: z._default(z.boolean(), false),
  author: Author,
  parts: z.array(Part),
})
export type Message = z.output<typeof Message>
/** Publications of a chat channel. */
export const Sent = z.object({
  type: z.literal('channel_chat_message_send'),
  data: z.object({ chat_message: Message }),
})
export const Deleted = z.object({
  type: z.literal('channel_chat_message_delete'),
  data: z.object({ chat_message: z.object({ id: z.number() }) }),
})

/** Colours of names by `nick_color`, as the player shows them. */
const colors =
  'd66e34 b8aaff 1d90ff 9961f9 59a840 e73629 de6489 20bba1 f8b301 0099bb 7bbeff e542ff a36c59 8ba259 00a9ff a20bff'
    .split(' ')
    .map((color) => `#${color}`)

/**
 * Returns the event of a message.
 * @param more `ownId`: id of the connected account; `isLate`: from the history
 */
export function messageEvent(
  { id, created_at, author, parts }: Message,
  { ownId, isLate }: { readonly ownId: string | null; readonly isLate: boolean },
): ChatEvent {
  const entities = parts.flatMap(entitiesOf)
  const { nick_color: color } = author
  const roles: ChatRole[] = [
    ...(author.is_owner ? ['owner' as const] : []),
    ...(author.is_moderator ? ['moderator' as const] : []),
  ]
  const message: PlatformMessage = {
    id: String(id),
    kind: 'message',
    text: textOfEntities(entities),
    entities,
    sender: {
      id: String(author.id),
      name: author.nick,
      avatar: author.avatar_url,
      ...(color === undefined || colors[color] === undefined ? {} : { color: colors[color] }),
      badges: [...(author.badges ?? []), ...(author.roles ?? [])].map((one) => ({
        id: one.id,
        title: one.name,
        image: one.small_url,
      })),
      roles,
    },
    createdAt: new Date(created_at * 1000),
    ...(isLate ? { late: true as const } : {}),
    ...(String(author.id) === ownId ? { own: true as const } : {}),
  }
  return { is: 'message', message, cursor: String(id) }
}

function entitiesOf({ text, link, mention, smile }: z.output<typeof Part>): ChatEntity[] {
  // Messages end with a part that is a line feed.
  if (text) return text.content === '\n' ? [] : [{ type: 'text', text: text.content }]
  if (link) return [{ type: 'link', text: link.content || link.url, url: link.url }]
  if (mention) return [{ type: 'mention', text: `@${mention.nick}`, id: String(mention.id) }]
  if (smile) return [{ type: 'emoji', id: smile.id, name: smile.name || smile.id, image: smile.medium_url }]
  return []
}
