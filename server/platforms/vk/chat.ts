// Chat of VK: comments of a live video (dev.vk.com/method/video.getLongPollServer, video.getComments, video.createComment).
import * as z from 'zod/mini'
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import { ChatSendError, type ChatSendReason } from '#server/core/chat-errors.ts'
import {
  type ChatEntity,
  type ChatEvent,
  type ChatPlace,
  type ChatReason,
  type ChatSender,
  type PlatformMessage,
  textOfEntities,
} from '#server/core/chat.ts'
import { pause } from '#server/core/pause.ts'
import { callProvider, type ProviderRefusedError } from '#server/core/provider-http.ts'
import type { ApiConventions, ProviderApi } from '#server/core/platform-api.ts'
import { vkMethod } from './platform.ts'
import { type ChatContext, ChatLost, ChatRefused, type ChatSource, type ReaderContext } from '#server/chat/port.ts'
import { asCommand, asReader, ownIdOf, withPlaceAccount } from '#server/chat/account-api.ts'
import { splitText } from '#server/chat/split-text.ts'

// Comments of VK videos on the wire (dev.vk.com/method/video.getComments, long poll of video.getLongPollServer), and as messages.

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
const Comments = z.object({
  items: z.array(z.unknown()),
  profiles: z._default(z.array(z.unknown()), []),
  groups: z._default(z.array(z.unknown()), []),
})
/** Response of the long poll. `failed` 1: old `ts`, 2: the key ended, 3: the state is lost. */
const Poll = z.object({
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
type ReadEvent = { readonly message: PlatformMessage } | { readonly deleted: string } | null | undefined

/** The chat's owner and the connected account, as VK numbers them: communities are negative. */
interface VkIds {
  readonly owner: string
  readonly account: string | null
}

const commented = ['video_comment_new', 'video_special_comment_new']

/** Reads an event: an object, or its JSON with a suffix such as `<!>0`. */
function readEvent(raw: unknown, ids: VkIds): ReadEvent {
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
function readComments(page: z.output<typeof Comments>, ids: VkIds): (PlatformMessage | null | undefined)[] {
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

/** Longest wait of a poll, seconds. */
const waitSeconds = 25
/** Longer than the poll waits, milliseconds. */
const pollTimeoutMs = 40_000
/** A poll with no event that took less is empty, milliseconds. The pause after empty polls in a row doubles. */
const emptyMs = 1_000
export const emptyPauses: Backoff = { firstMs: 100, mostMs: 30_000 }
const pageSize = 100
/** Pages of comments that a reader catches up; older ones are a gap. */
const pagesMax = 20

const Failed = z.object({ error: z.object({ error_code: z.int() }) })
const conventions: ApiConventions = {
  provider: 'vk',
  headers: (token) => ({ authorization: `Bearer ${token}` }),
  // 5: the token is dead. Refusals come with a 200, and are named by their code.
  faultOf(body) {
    const { data } = Failed.safeParse(body)
    if (!data) return null
    return data.error.error_code === 5 ? 'unauthorized' : { reason: String(data.error.error_code) }
  },
}

/** 7, 15, 18, 203, 204: no right. 100, 801: no such video, comments are closed. 28: scope. */
const readerReasons: Readonly<Record<string, ChatReason>> = {
  7: 'forbidden',
  15: 'forbidden',
  18: 'forbidden',
  28: 'scope',
  100: 'no_chat',
  203: 'forbidden',
  204: 'forbidden',
  801: 'no_chat',
}
/** 6, 9, 29: too often. 14: a captcha. 222: links are forbidden. 104: not found. */
const commandReasons: Readonly<Record<string, ChatSendReason>> = {
  ...readerReasons,
  6: 'too_fast',
  9: 'too_fast',
  14: 'too_fast',
  29: 'too_fast',
  100: 'rejected',
  104: 'gone',
  222: 'rejected',
}
const readerReasonOf = ({ reason }: ProviderRefusedError) => readerReasons[reason]
const commandReasonOf = ({ reason }: ProviderRefusedError) => commandReasons[reason]

interface Video {
  readonly owner_id: string
  readonly video_id: string
}

async function* open(ctx: ReaderContext, cursor: string | null): AsyncIterable<ChatEvent> {
  const call = <T>(ask: (api: ProviderApi) => Promise<T>) =>
    asReader(() => withPlaceAccount(ctx.services, ctx.place, conventions, ask), readerReasonOf)
  const video = await call((api) => videoOf(api, ctx.place))
  if (!video) throw new ChatRefused('no_chat', 'The owner has no live video')
  const ids: VkIds = { owner: video.owner_id, account: await ownIdOf(ctx) }
  const server = () =>
    call((api) => vkMethod(api, 'video.getLongPollServer', { ...video }, z.object({ url: z.string() })))
  let url = pollUrl((await server()).url)
  let last = cursor ?? (await call((api) => newestOf(api, video)))
  yield { is: 'state', state: 'reading' }
  const catchUp = async function* (): AsyncIterable<ChatEvent> {
    for await (const event of missed(call, video, ids, last, ctx)) {
      if (event.is === 'message') last = event.message.id
      yield event
    }
  }
  if (cursor !== null) yield* catchUp()
  for (let empty = 0; !ctx.signal.aborted;) {
    const [began, before] = [performance.now(), last]
    const { failed, ts, events } = await poll(ctx, url)
    const isEmpty = events.length === 0 && performance.now() - began < emptyMs
    if (ts !== undefined) url.searchParams.set('ts', String(ts))
    for (const raw of events) {
      const event = readEvent(raw, ids)
      if (event === undefined) ctx.malformed()
      if (!event) continue
      if ('deleted' in event) yield { is: 'deleted', id: event.deleted }
      else {
        last = event.message.id
        yield { is: 'message', message: event.message, cursor: last }
      }
    }
    if (failed !== undefined) {
      if (failed !== 1 || ts === undefined) url = pollUrl((await server()).url)
      yield* catchUp()
    }
    empty = isEmpty && last === before ? empty + 1 : 0
    if (empty > 0) await pause(backoffMs(emptyPauses, empty), ctx.signal)
  }
}

/** Comments after one that was read. */
async function* missed(
  call: <T>(ask: (api: ProviderApi) => Promise<T>) => Promise<T>,
  video: Video,
  ids: VkIds,
  after: string,
  ctx: ReaderContext,
): AsyncIterable<ChatEvent> {
  let from = after
  for (let page = 0; page < pagesMax; page++) {
    const form = {
      ...video,
      start_comment_id: from,
      count: String(pageSize),
      sort: 'asc',
      extended: '1',
      fields: 'photo_100',
    }
    const comments = await call((api) => vkMethod(api, 'video.getComments', form, Comments))
    for (const message of readComments(comments, ids)) {
      if (message === undefined) ctx.malformed()
      // The page begins with the comment that it starts at.
      if (!message || Number(message.id) <= Number(from)) continue
      from = message.id
      yield { is: 'message', message: { ...message, late: true }, cursor: from }
    }
    if (comments.items.length < pageSize) return
  }
  yield { is: 'gap', since: ctx.services.clock.now(), reason: 'lost' }
}

/** Returns the id of the newest comment, from which a reader without a cursor continues after a failed poll. */
async function newestOf(api: ProviderApi, video: Video): Promise<string> {
  const answer = z.object({ items: z.array(z.object({ id: z.int() })) })
  const { items } = await vkMethod(api, 'video.getComments', { ...video, count: '1', sort: 'desc' }, answer)
  return String(items[0]?.id ?? 0)
}

async function poll(ctx: ReaderContext, url: URL): Promise<z.output<typeof Poll>> {
  try {
    const { config } = ctx.services
    const answer = await callProvider(config, 'vk', url.href, { signal: ctx.signal }, pollTimeoutMs)
    const { data } = answer.status === 200 ? Poll.safeParse(JSON.parse(answer.text)) : { data: undefined }
    if (data && (data.failed !== undefined || data.ts !== undefined)) return data
  } catch (error) {
    if (ctx.signal.aborted) return { events: [] }
    throw new ChatLost('The poll failed', { isGap: false, cause: error })
  }
  throw new ChatLost('The response of the poll cannot be read', { isGap: false })
}

/** Reads the address of a poll. @throws ChatLost unless it is one of VK over HTTPS */
function pollUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null
  const isOfVk = url?.protocol === 'https:' && /(?:^|\.)vk\.(?:com|ru)$/.test(url.hostname) && url.username === ''
  if (!url || !isOfVk) throw new ChatLost('The poll is not at VK', { isGap: false })
  url.searchParams.set('wait', String(waitSeconds))
  return url
}

/** The video of the place, else the live one of the owner. */
async function videoOf(api: ProviderApi, { externalId: owner_id, videoId }: ChatPlace): Promise<Video | null> {
  if (videoId !== null) return { owner_id, video_id: videoId }
  const Live = z.object({ id: z.int(), live_status: z.optional(z.string()), live: z.optional(z.number()) })
  const { items } = await vkMethod(api, 'video.get', { owner_id, count: '50' }, z.object({ items: z.array(Live) }))
  const live = items.find((one) => one.live_status === 'started' || one.live === 1)
  return live ? { owner_id, video_id: String(live.id) } : null
}

const command = <T>({ services, place }: ChatContext, ask: (api: ProviderApi) => Promise<T>): Promise<T> =>
  asCommand(() => withPlaceAccount(services, place, conventions, ask), commandReasonOf)

/** VK. Reading and writing need the account: comments of a live video belong to its owner. */
export const chat: ChatSource = {
  open,

  send: (ctx, { text, replyTo, nonce }) =>
    command(ctx, async (api) => {
      const video = await videoOf(api, ctx.place)
      if (!video) throw new ChatSendError('no_chat', 'The channel is not live.')
      const isGroup = video.owner_id.startsWith('-')
      const form = {
        ...video,
        message: text,
        guid: nonce,
        reply_to_comment: replyTo,
        from_group: isGroup ? '1' : undefined,
      }
      return { id: String(await vkMethod(api, 'video.createComment', form, z.int())) }
    }),

  remove: (ctx, messageId) =>
    command(ctx, async (api) => {
      const form = { owner_id: ctx.place.externalId, comment_id: messageId }
      await vkMethod(api, 'video.deleteComment', form, z.unknown())
    }),

  restrict: (ctx, senderId, seconds) =>
    command(ctx, async (api) => {
      const end = seconds === null ? undefined : String(Math.floor(ctx.services.clock.now().getTime() / 1000) + seconds)
      await vkMethod(api, 'groups.ban', { ...bannedIn(ctx.place, senderId), end_date: end }, z.unknown())
      return {}
    }),

  lift: (ctx, senderId) =>
    command(ctx, async (api) => void (await vkMethod(api, 'groups.unban', bannedIn(ctx.place, senderId), z.unknown()))),
}

/** @throws ChatSendError for a profile: VK bans from communities only */
function bannedIn({ externalId }: ChatPlace, senderId: string) {
  if (!externalId.startsWith('-')) throw new ChatSendError('unsupported', 'VK bans from communities only.')
  return { group_id: externalId.slice(1), owner_id: senderId }
}
