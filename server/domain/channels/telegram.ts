// The service's Telegram bot (core.telegram.org/bots/api). A code posted in a chat connects the chat to a channel; from
// then on the bot sees its posts. Updates are read on demand.
import * as z from 'zod/mini'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { hashOf } from '#server/core/secrets.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { callProvider, ProviderRefusedError, ProviderUnavailableError } from '#server/core/provider-http.ts'
import {
  findByCode,
  hasChat,
  getNextUpdate,
  updatePinnedPost,
  upsertNextUpdate,
  updateChat,
  upsertPost,
} from './telegram-store.ts'

/** Lifetime of a code. */
const codeLifeMs = 3_600_000

const Chat = z.object({
  id: z.int(),
  title: z._default(z.string(), ''),
  username: z._default(z.string(), ''),
})
const Message = z.object({
  message_id: z.int(),
  chat: Chat,
  text: z.optional(z.string()),
  caption: z.optional(z.string()),
  photo: z.optional(z.array(z.unknown())),
  video: z.optional(z.unknown()),
  document: z.optional(z.unknown()),
  pinned_message: z.optional(z.object({ message_id: z.int() })),
})
type Message = z.output<typeof Message>
const Update = z.object({
  update_id: z.int(),
  message: z.optional(Message),
  channel_post: z.optional(Message),
  edited_channel_post: z.optional(Message),
})

/** Returns the name of the bot. @throws RuleError `ProviderNotConfigured`, ProviderRefusedError, ProviderUnavailableError */
export async function botName(services: Pick<Services, 'config'>): Promise<string> {
  const { username } = await ask(services, 'getMe', {}, z.object({ username: z.string() }))
  return username
}

/** Reads new updates. Concurrent calls are safe: each post is stored once. */
export async function readUpdates(services: Services): Promise<void> {
  const { db } = services
  const parameters = {
    offset: await getNextUpdate(db),
    limit: 100,
    timeout: 0,
    allowed_updates: ['message', 'channel_post', 'edited_channel_post'],
  }
  const updates = await ask(services, 'getUpdates', parameters, z.array(Update))
  const last = updates.at(-1)
  if (!last) return
  await transaction(db, async (trx) => {
    for (const { message, channel_post, edited_channel_post } of updates) {
      const post = channel_post ?? edited_channel_post ?? message
      if (post) await takePost(services, trx, post)
    }
    await upsertNextUpdate(trx, last.update_id + 1)
  })
}

async function takePost({ clock }: Services, trx: Trx, post: Message): Promise<void> {
  const now = clock.now()
  const text = (post.text ?? post.caption ?? '').trim()
  const chatId = String(post.chat.id)
  const asked = await findByCode(trx, hashOf(text), iso(later(now, -codeLifeMs)))
  if (asked) {
    const { title, username } = post.chat
    const chat = { chat_id: chatId, name: title, domain: username, code_hash: null, date_update: iso(now) }
    return await updateChat(trx, asked.channel_id, chat)
  }
  if (!(await hasChat(trx, chatId))) return
  if (post.pinned_message) return await updatePinnedPost(trx, chatId, post.pinned_message.message_id)
  const { message_id } = post
  const attachments = JSON.stringify({
    photo: post.photo !== undefined,
    video: post.video !== undefined,
    document: post.document !== undefined,
  })
  await upsertPost(trx, { chat_id: chatId, message_id, text, attachments, date_create: iso(now) })
}

async function ask<T extends z.ZodMiniType>(
  { config }: Pick<Services, 'config'>,
  method: string,
  parameters: object,
  result: T,
): Promise<z.output<T>> {
  if (config.telegramBotToken === null) {
    throw new RuleError('ProviderNotConfigured', 'This service has no bot at Telegram', { provider: 'telegram' })
  }
  const { status, text } = await callProvider(
    config,
    'telegram',
    `https://api.telegram.org/bot${config.telegramBotToken}/${method}`,
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(parameters) },
  )
  const answer = Answer.safeParse(jsonOf(text))
  if (!answer.success) throw new ProviderUnavailableError('telegram')
  if (!answer.data.ok) throw new ProviderRefusedError('telegram', status, answer.data.description?.slice(0, 200))
  const read = result.safeParse(answer.data.result)
  if (!read.success) throw new ProviderUnavailableError('telegram')
  return read.data
}

const Answer = z.object({
  ok: z.boolean(),
  result: z.optional(z.unknown()),
  description: z.optional(z.string()),
})

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
