// Platforms over HTTP: where streams can go, and the accounts there.
import { type AccountChannel, platforms } from '#contract/areas/channels/platforms.ts'
import type { PlatformType } from '#contract/entities/channel.ts'
import { accountKinds, accountsOf, factsOf, platformTypes } from '#contract/platforms/platforms.ts'
import { implement } from '#server/core/implement.ts'
import type { Services } from '#server/core/context.ts'
import type { Settings } from '#server/core/settings.ts'
import { hostsOf } from '#server/domain/channels/destinations.ts'
import { listAdded } from '#server/domain/platforms/account-channels.ts'
import {
  forgetAccount,
  getAccount,
  signOutAccount,
  withAccount,
  withAnyAccount,
} from '#server/domain/platforms/accounts.ts'
import { readTokens } from '#server/domain/platforms/account-tokens.ts'
import { type AccountRow, hasScopes, listAccounts } from '#server/domain/platforms/accounts-store.ts'
import { beginCommunity, beginConnect, finishConnect, receiveAnswer } from '#server/domain/platforms/connect.ts'
import { isConfigured } from '#server/domain/account/oauth.ts'
import { registrationSettings } from '#server/domain/account/oauth-table.ts'
import { presentPlatform } from './channel-present.ts'
import { named, type PlatformChannel } from '#server/core/platform-adapter.ts'

/** Each call reads an external service. */
const asksPerMinute = 60

export const platformRoutes = implement(platforms, {
  list: (_, { config }) => ({
    results: platformTypes.map((type) => ({
      ...presentPlatform(type),
      hosts: [...hostsOf(type, config)],
      ...readinessOf(config, type),
    })),
  }),

  category: async ({ q = '', type }, ctx) => {
    ctx.limits.count(`category ${ctx.user.id}`, asksPerMinute)
    const found = await withAnyAccount(
      ctx,
      ctx.user,
      type,
      async (api) => ctx.platforms[type].categories?.(api, q) ?? [],
      ctx.language,
    )
    return {
      results: found.map(({ subList, ...item }) => ({ ...item, ...(subList ? { subList: [...subList] } : {}) })),
    }
  },

  accounts: async ({ platform }, ctx) => {
    const rows = await listAccounts(ctx.db, ctx.user.id, platform)
    const results = rows.map((row) => ({
      id: row.id,
      accountId: row.external_id,
      name: row.name,
      avatar: row.avatar,
      // Unreadable tokens are marked when they are used; the list shows it before.
      status: readTokens(ctx, row) === null ? 0 : row.status,
      platform: row.platform,
      channels: Number(row.channels),
      ...chatOf(ctx, row),
    }))
    return { results }
  },

  accountChannels: async ({ project_id, platform, ids, ...search }, ctx) => {
    ctx.limits.count(`places ${ctx.user.id}`, asksPerMinute)
    const accounts = await Promise.all([...new Set(ids)].map((id) => getAccount(ctx, ctx.user, { id, platform })))
    const found = await Promise.all(
      accounts.map(async (account) => {
        const channels = await withAccount(ctx, account, (api) => ctx.platforms[account.platform].channels(api))
        return { account, channels, connected: await listAdded(ctx, project_id, account) }
      }),
    )
    return pageOfPlatformChannels(found, search)
  },

  accountRemove: async ({ platform, id }, ctx) => {
    await forgetAccount(ctx, await getAccount(ctx, ctx.user, { id: Number(id), platform }))
    return { success: true }
  },

  logout: async ({ platform, id }, ctx) => {
    const account = await getAccount(ctx, ctx.user, { id: Number(id), platform })
    await signOutAccount(ctx, account)
    const image = account.avatar === '' ? {} : { image: account.avatar }
    return { success: true, results: [{ id, name: account.name, ...image }] }
  },

  connect: async ({ project_id, platform, sub_id, redirect, chat }, ctx) => {
    const request = { projectId: project_id, platform, redirect, subId: sub_id, chat }
    return { url: await beginConnect(ctx, ctx.user, ctx.origin, request) }
  },

  connectCommunity: async ({ project_id, channel_id, account_id, sub_id, redirect }, ctx) => ({
    url: await beginCommunity(ctx, ctx.user, ctx.origin, {
      projectId: project_id,
      channelId: channel_id,
      accountId: Number(account_id),
      redirect,
      subId: sub_id,
    }),
  }),

  finish: async ({ state }, ctx) => {
    const { projectId, platform, account, channel, subId } = await finishConnect(ctx, ctx.user, state)
    return {
      success: true,
      project_id: projectId,
      platform,
      account,
      channel_id: channel?.id ?? null,
      active: channel?.active ?? null,
      sub_id: subId,
    }
  },

  callbackVkId: async (answer, ctx) => ({ location: await receiveAnswer(ctx, 'vk-id', 'platform', answer) }),
  callbackCommunity: async (answer, ctx) => ({ location: await receiveAnswer(ctx, 'vk', 'community', answer) }),
  callback: async ({ provider, ...answer }, ctx) => ({
    location: await receiveAnswer(ctx, provider, 'platform', answer),
  }),
})

/** Returns whether an account was connected with chat; nothing where chat needs no permission. */
function chatOf(
  { platforms: adapters }: Pick<Services, 'platforms'>,
  { platform, scopes }: AccountRow,
): { readonly chat?: 0 | 1 } {
  const { chatScopes = [] } = adapters[platform]
  return chatScopes.length === 0 ? {} : { chat: hasScopes(scopes, chatScopes) ? 1 : 0 }
}

/** Returns whether accounts of a platform can be connected, and the missing settings. VK has two registrations. */
function readinessOf(config: Settings, type: PlatformType) {
  if (factsOf(type).bot) {
    const bot_ready = config.telegramBotToken === null ? 0 : 1
    return { oauth_ready: 0, bot_ready, ...(!bot_ready && { missing_settings: ['TELEGRAM_BOT_TOKEN'] }) } as const
  }
  const ways = accountsOf(type).map((name) => accountKinds[name].oauth)
  if (ways.some((name) => isConfigured(config, name))) return { oauth_ready: 1 } as const
  const [first] = ways
  return { oauth_ready: 0, ...(first && { missing_settings: [...registrationSettings[first]] }) } as const
}

// Platform channels of several accounts, without duplicates.

interface AccountChannels {
  readonly account: AccountRow
  readonly channels: readonly PlatformChannel[]
  readonly connected: ReadonlyMap<string, number>
}

/** Returns a page of platform channels, sorted by name. */
function pageOfPlatformChannels(
  found: readonly AccountChannels[],
  {
    q,
    sort,
    limit,
    page,
  }: { readonly q: string; readonly sort: 'asc' | 'desc'; readonly limit: number; readonly page: number },
) {
  const way = sort === 'asc' ? 1 : -1
  const all = named([...joined(found).values()], q).toSorted((a, b) => way * a.name.localeCompare(b.name))
  const totalPages = Math.max(1, Math.ceil(all.length / limit))
  return {
    results: all.slice((page - 1) * limit, page * limit),
    totalItems: all.length,
    totalPages,
    currentPage: page,
    // The last one stays the last.
    nextPage: Math.min(page + 1, totalPages),
  }
}

function joined(found: readonly AccountChannels[]): ReadonlyMap<string, AccountChannel> {
  const rows = new Map<string, AccountChannel>()
  for (const { account, channels, connected } of found) {
    const through = { id: account.external_id, name: account.name, avatar: account.avatar, internalId: account.id }
    for (const { id, name, photo, members } of channels) {
      const row = rows.get(id)
      if (row) row.accounts.push(through)
      else rows.set(id, { id, name, photo, members, connectedId: connected.get(id) ?? null, accounts: [through] })
    }
  }
  return rows
}
