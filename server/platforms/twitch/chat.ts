// Chat of Twitch: read over EventSub with a connected account, else anonymously over IRC; written and moderated by Helix
// (dev.twitch.tv/docs/api/reference).
import * as z from 'zod/mini'
import { ChatSendError, type ChatSendReason } from '#server/core/chat-errors.ts'
import { chatPageName, type ChatPlace } from '#server/core/chat.ts'
import { isConfigured } from '#server/domain/account/oauth.ts'
import { findAccount, hasScopes } from '#server/domain/platforms/accounts-store.ts'
import type { ProviderApi } from '#server/core/platform-api.ts'
import { twitch as provider } from './platform.ts'
import { type ChatContext, ChatRefused, type ChatSource, type ReaderContext } from '#server/chat/port.ts'
import { openInWorker } from '#server/chat/worker/host.ts'
import { asApplication, asCommand, asReader, withPlaceAccount, withScopedAccount } from '#server/chat/account-api.ts'
import { withBadgeImages } from './badge-images.ts'

const helix = 'https://api.twitch.tv/helix'

const Users = z.object({ data: z.array(z.object({ id: z.string() })) })
const Sent = z.object({
  data: z.array(
    z.object({
      message_id: z.string(),
      is_sent: z.boolean(),
      drop_reason: z.optional(z.nullable(z.object({ code: z.string() }))),
    }),
  ),
})

/** Chat of Twitch. */
export const chat: ChatSource = {
  async *open(ctx) {
    const scopes = await chatScopes(ctx)
    if (scopes === null) yield* openAnonymously(ctx)
    else yield* openAsUser(ctx, scopes)
  },

  send: (ctx, { text, replyTo }) =>
    command(ctx, 'user:write:chat', async (api, own) => {
      const json = {
        broadcaster_id: channelOf(ctx.place, own),
        sender_id: own,
        message: text,
        ...(replyTo === undefined ? {} : { reply_parent_message_id: replyTo }),
      }
      const { data } = await api.call({ url: `${helix}/chat/messages`, method: 'POST', json }, Sent)
      const [sent] = data
      if (!sent?.is_sent)
        throw new ChatSendError(dropped[sent?.drop_reason?.code ?? ''] ?? 'rejected', 'Twitch dropped the message.')
      return { id: sent.message_id }
    }),

  remove: (ctx, message_id) =>
    command(ctx, 'moderator:manage:chat_messages', async (api, own) => {
      const query = { ...moderation(ctx.place, own), message_id }
      await api.call({ url: `${helix}/moderation/chat`, method: 'DELETE', query }, z.object({}))
    }),

  restrict: (ctx, user_id, seconds) =>
    command(ctx, 'moderator:manage:banned_users', async (api, own) => {
      const json = { data: { user_id, ...(seconds === null ? {} : { duration: seconds }) } }
      const query = moderation(ctx.place, own)
      await api.call({ url: `${helix}/moderation/bans`, method: 'POST', query, json }, z.object({}))
      return {}
    }),

  lift: (ctx, user_id) =>
    command(ctx, 'moderator:manage:banned_users', async (api, own) => {
      const query = { ...moderation(ctx.place, own), user_id }
      await api.call({ url: `${helix}/moderation/bans`, method: 'DELETE', query }, z.object({}))
    }),
}

/** Reasons for which Twitch drops messages that it accepted. */
const dropped: Readonly<Record<string, ChatSendReason>> = {
  channel_settings: 'forbidden',
  user_banned: 'forbidden',
  user_timed_out: 'forbidden',
  msg_rate_limited: 'too_fast',
  msg_duplicate: 'rejected',
}

/** Returns the granted scopes of the place's account; null when it cannot read chat. */
async function chatScopes({ services, place }: ChatContext): Promise<string[] | null> {
  const account = await findAccount(services.db, place.accountId)
  if (!account || !hasScopes(account.scopes, ['user:read:chat'])) return null
  return (account.scopes ?? '').split(' ')
}

const baseOf = ({ services }: ChatContext): string | null => services.config.providerBases.get('twitch') ?? null

function openAnonymously(ctx: ReaderContext) {
  const login = chatPageName(ctx.place.page)
  if (login === null || !/^\w{1,30}$/.test(login))
    throw new ChatRefused('page', 'The page of the channel is unknown, so its chat is.')
  const events = openInWorker(ctx, { client: 'twitch-irc', base: baseOf(ctx), login })
  const ask = <T>(call: (api: ProviderApi) => Promise<T>) => asApplication(ctx.services, provider, call)
  return withBadgeImages(events, ctx.services, { login }, isConfigured(ctx.services.config, 'twitch') ? ask : null)
}

async function* openAsUser(ctx: ReaderContext, scopes: readonly string[]) {
  // The call renews the token, and marks the account when Twitch no longer accepts it.
  const { userId, token } = await asReader(() =>
    withPlaceAccount(ctx.services, ctx.place, provider, async (api) => {
      const { data } = await api.call({ url: `${helix}/users` }, Users)
      return { userId: data[0]?.id ?? '', token: api.token }
    }),
  )
  const clientId = ctx.services.config.providers.twitch?.id ?? ''
  const broadcasterId = channelOf(ctx.place, userId)
  const connection = {
    client: 'twitch-eventsub',
    base: baseOf(ctx),
    broadcasterId,
    userId,
    clientId,
    token,
    scopes,
  } as const
  try {
    const events = openInWorker(ctx, connection)
    yield* withBadgeImages(events, ctx.services, { id: broadcasterId }, (ask) =>
      withPlaceAccount(ctx.services, ctx.place, provider, ask),
    )
  } catch (error) {
    if (error instanceof ChatRefused && error.reason === 'reconnect') await confirm(ctx)
    throw error
  }
}

/** Calls Twitch once more after a revocation, so that a dead account is marked. */
const confirm = (ctx: ReaderContext) =>
  asReader(() =>
    withPlaceAccount(ctx.services, ctx.place, provider, (api) => api.call({ url: `${helix}/users` }, Users)),
  )

const channelOf = ({ externalId }: ChatPlace, own: string): string => (externalId === '' ? own : externalId)
const moderation = (place: ChatPlace, own: string) => ({
  broadcaster_id: channelOf(place, own),
  moderator_id: own,
})

/** Runs a command with the account of the place. */
const command = <T>(ctx: ChatContext, scope: string, run: (api: ProviderApi, own: string) => Promise<T>): Promise<T> =>
  asCommand(
    () => withScopedAccount(ctx, provider, [scope], run),
    ({ refusedWith }) => (refusedWith === 400 ? 'gone' : undefined),
  )
