// The chat of a channel at Telegram over HTTP.
import { telegramChat } from '#contract/areas/channels/telegram-chat.ts'
import { iso } from '#server/core/clock.ts'
import type { Context } from '#server/core/context.ts'
import { RuleError, ValidationError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { hashOf } from '#server/core/secrets.ts'
import { needBot } from '#server/core/telegram-bot.ts'
import { transaction } from '#server/db/transaction.ts'
import { getChannel } from '#server/domain/channels/channels.ts'
import {
  botName,
  choiceOf,
  messageIn,
  newChatCode,
  postBy,
  type PostChoice,
  postsMax,
} from '#server/domain/channels/telegram.ts'
import {
  type ChatRow,
  findChat,
  listPosts,
  type PostRow,
  removeChat,
  updateChat,
  upsertChat,
} from '#server/domain/channels/telegram-store.ts'
import { recordChange } from '#server/domain/channels/channel-history.ts'

type Ctx = Context<'editor'>
interface InChannel {
  readonly project_id: number
  readonly channel_id: number
}
export const telegramChatRoutes = implement(telegramChat, {
  setTelegram: ({ select = 0, messageId, link, ...place }, ctx) =>
    choose(place, ctx, { mode: link === undefined ? select : 3, messageId, link }),

  settings: async (place, ctx) => {
    const row = await chatOf(place, ctx)
    if (!row || row.chat_id === null) return { connected: false, data: null }
    const post = postBy(await listPosts(ctx.db, row.chat_id, postsMax), choiceOf(row))
    const chat = { id: Number(row.chat_id), name: row.name, domain: row.domain, image: '' }
    return {
      connected: true,
      data: { filter_mode: choiceOf(row).mode, chat, ...(post && { post: presentPost(post) }) },
    }
  },

  setSettings: ({ filter_mode, message_id, link, ...place }, ctx) =>
    choose(place, ctx, { mode: filter_mode, messageId: message_id, link }),

  init: async ({ project_id: projectId, channel_id: channelId }, ctx) => {
    await getChannel(ctx.db, { projectId, channelId }, 'editor')
    const bot = await botName(ctx)
    const code = newChatCode()
    const known = await findChat(ctx.db, channelId)
    const row = known ?? { ...emptyChat, channel_id: channelId }
    const waiting = { ...row, code_hash: hashOf(code), date_update: iso(ctx.clock.now()) }
    await transaction(ctx.db, (trx) => upsertChat(trx, waiting))
    return { code, bot }
  },

  disconnect: async ({ project_id: projectId, channel_id: channelId }, ctx) => {
    const { name } = await getChannel(ctx.db, { projectId, channelId }, 'editor')
    await transaction(ctx.db, async (trx) => {
      const row = await findChat(trx, channelId)
      if (!row) return
      await removeChat(trx, row)
      await recordChange(ctx, trx, ctx.user, { projectId, channelId }, { name, telegram_chat: null })
    })
    return { success: true }
  },

  posts: async (place, ctx) => ({ results: (await postsOf(place, ctx)).posts.map(presentPost) }),

  postByFilter: async ({ filter_mode, ...place }, ctx) => {
    const { row, posts } = await postsOf(place, ctx)
    const post = postBy(posts, { ...choiceOf(row), mode: filter_mode })
    if (!post) throw new RuleError('PostNotFound')
    return presentPost(post)
  },
})

const emptyChat: Omit<ChatRow, 'channel_id'> = {
  code_hash: null,
  chat_id: null,
  discussion_id: null,
  name: '',
  domain: '',
  filter_mode: 0,
  message_id: null,
  link: '',
  date_update: '',
}

/** Returns the chat of a channel. @throws RuleError `ProviderNotConfigured` without a bot */
async function chatOf({ project_id: projectId, channel_id: channelId }: InChannel, ctx: Ctx) {
  await getChannel(ctx.db, { projectId, channelId }, 'editor')
  needBot(ctx.config)
  return await findChat(ctx.db, channelId)
}

async function postsOf(place: InChannel, ctx: Ctx) {
  const row = await chatOf(place, ctx)
  if (!row || row.chat_id === null) throw new RuleError('ChatNotConnected')
  return { row, posts: await listPosts(ctx.db, row.chat_id, postsMax) }
}

async function choose(place: InChannel, ctx: Ctx, choice: PostChoice) {
  const { row, posts } = await postsOf(place, ctx)
  const { project_id: projectId, channel_id: channelId } = place
  if (choice.mode === 3 && messageIn(choice.link) === null) {
    throw new ValidationError([{ property: 'link', text: 'link' }])
  }
  if (choice.mode === 2 && !postBy(posts, choice)) throw new RuleError('PostNotFound')
  await transaction(ctx.db, async (trx) => {
    await updateChat(trx, channelId, {
      filter_mode: choice.mode,
      message_id: choice.messageId ?? null,
      link: choice.link ?? '',
      date_update: iso(ctx.clock.now()),
    })
    const details = { telegram_chat: row.name, filter_mode: choice.mode }
    await recordChange(ctx, trx, ctx.user, { projectId, channelId }, details)
  })
  return { success: true }
}

const presentPost = ({ message_id, text, attachments }: PostRow) => ({
  message_id,
  text,
  attachments: JSON.parse(attachments) as Record<string, unknown>,
})
