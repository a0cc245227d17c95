// Cleaning of texts and images from platforms, before anything else sees them.
import {
  type ChatEntity,
  type ChatEvent,
  type ChatSender,
  type PlatformMessage,
  textOfEntities,
} from '#server/core/chat.ts'
import type { PlatformType } from '#contract/entities/channel.ts'
import { chatFacts } from '#contract/platforms/chats.gen.ts'
import { chatOf } from '#server/domain/chat/capabilities-table.ts'

const textMax = 2_000
const nameMax = 100
const entitiesMax = 500
const badgesMax = 20
/** Times from the year 10000 on have a sign in ISO 8601, which clients do not read. */
const timeMax = Date.UTC(10_000, 0)
/** Longest position at a platform that is kept, characters. */
const cursorMax = 1_000

/** C0 and C1 controls, bidi embeddings, overrides and isolates, and the byte order mark. */
// eslint-disable-next-line no-control-regex -- control characters are what it removes
const unwanted = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g
const blanks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g
/** More than three combining marks on a letter. */
const zalgo = /(\p{M}{3})\p{M}+/gu

/** Removes control characters and bidi controls, limits combining marks and length (in characters, not bytes). */
export function cleanText(text: string, max = textMax): string {
  const plain = text.toWellFormed().replaceAll(blanks, ' ').replaceAll(unwanted, '').replaceAll(zalgo, '$1')
  return plain.length <= max ? plain : Array.from(plain).slice(0, max).join('')
}

const cleanLine = (text: string, max = nameMax): string => cleanText(text, max).trim()

function cleanEntities(type: PlatformType, entities: readonly ChatEntity[]): ChatEntity[] {
  const kept: ChatEntity[] = []
  let room = textMax
  for (const entity of entities.slice(0, entitiesMax)) {
    const text = cleanText(textOfEntities([entity]), room)
    if (text === '') continue
    room -= Array.from(text).length
    if (entity.type === 'emoji')
      kept.push({ type: 'emoji', id: cleanLine(entity.id), name: text, image: chatImage(type, entity.image) })
    else if (entity.type === 'link' && !isWebAddress(entity.url)) kept.push({ type: 'text', text })
    else kept.push({ ...entity, text })
    if (room <= 0) break
  }
  return kept
}

const isWebAddress = (url: string): boolean =>
  url.length <= textMax && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

function cleanSender(type: PlatformType, sender: ChatSender): ChatSender {
  const { id, name, login, color, avatar, badges, roles } = sender
  const shown = cleanLine(name) || cleanLine(login ?? '') || cleanLine(id)
  const image = chatImage(type, avatar)
  return {
    id: cleanLine(id),
    name: shown,
    ...(login === undefined ? {} : { login: cleanLine(login) }),
    ...(color !== undefined && /^#[\da-f]{6}$/i.test(color) ? { color } : {}),
    ...(image === null ? {} : { avatar: image }),
    badges: badges.slice(0, badgesMax).map((badge) => {
      const picture = chatImage(type, badge.image)
      return {
        id: cleanLine(badge.id),
        title: cleanLine(badge.title),
        ...(picture === null ? {} : { image: picture }),
      }
    }),
    roles: [...new Set(roles)],
  }
}

/**
 * Returns a message with clean texts, and images of the platform's hosts only. The text is that of the entities. An amount that
 * is no number is left out: one message must not make the others of its response unreadable.
 */
export function cleanMessage(type: PlatformType, { paid, ...message }: PlatformMessage): PlatformMessage {
  const given: readonly ChatEntity[] =
    message.entities.length > 0 ? message.entities : [{ type: 'text', text: message.text }]
  const entities = cleanEntities(type, given)
  const createdMs = message.createdAt.getTime()
  return {
    ...message,
    id: cleanLine(message.id, 200),
    text: textOfEntities(entities),
    entities,
    sender: cleanSender(type, message.sender),
    createdAt: createdMs >= 0 && createdMs < timeMax ? message.createdAt : new Date(),
    ...(paid &&
      Number.isFinite(paid.amount) && {
        paid: { ...paid, currency: cleanLine(paid.currency, 10), text: cleanLine(paid.text) },
      }),
  }
}

/**
 * Returns an event that every database stores: a clean message, a position without control characters, a valid time.
 * @param now replaces an invalid time
 */
export function cleanEvent(type: PlatformType, event: ChatEvent, now: Date): ChatEvent {
  if (event.is === 'gap') return Number.isNaN(event.since.getTime()) ? { ...event, since: now } : event
  if (event.is !== 'message') return event
  const { cursor, message } = event
  const isKept = cursor !== undefined && cursor.length <= cursorMax && cleanText(cursor) === cursor
  return { is: 'message', message: cleanMessage(type, message), ...(isKept ? { cursor } : {}) }
}

/** Sources of the images of all platforms, for a policy: each host and its subdomains. */
export const chatImageSources: readonly string[] = Object.values(chatFacts).flatMap(({ images }) =>
  images.flatMap((host) => [`https://${host}`, `https://*.${host}`]),
)

/** Returns an HTTPS address of an image on the hosts of a platform; null for any other address. */
export function chatImage(type: PlatformType, url: string | null | undefined): string | null {
  if (!url || url.length > 500 || !URL.canParse(url)) return null
  const { protocol, hostname, username, port, href } = new URL(url)
  if (protocol !== 'https:' || username !== '' || port !== '') return null
  const hosts = chatOf(type)?.images ?? []
  return hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`)) ? href : null
}
