// Planned streams and playlists over HTTP, read with the account of the channel.
import { planned } from '#contract/areas/channels/planned.ts'
import type { Context } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { transaction } from '#server/db/transaction.ts'
import { getChannel } from '#server/domain/channels/channels.ts'
import { accountOf } from '#server/domain/platforms/account-channels.ts'
import { withAccount } from '#server/domain/platforms/accounts.ts'
import { findChannelPlatform, upsertChannelPlatform } from '#server/domain/platforms/accounts-store.ts'
import type { ProviderApi } from '#server/core/platform-api.ts'
import type { PlatformAdapter } from '#server/core/platform-adapter.ts'
import { recordChange } from '#server/domain/channels/channel-history.ts'

type Ctx = Context<'editor'>
interface InChannel {
  readonly project_id: number
  readonly channel_id: number
}

export const plannedRoutes = implement(planned, {
  get: async (input, ctx) => {
    const items = await plannedOf(input, ctx)
    const row = await findChannelPlatform(ctx.db, input.channel_id)
    return { results: items.map((item) => ({ planned: item })), selected: row?.planned_id ?? null }
  },

  set: async ({ id, ...place }, ctx) => {
    const chosen = id === undefined ? undefined : (await plannedOf(place, ctx)).find((item) => item.id === id)
    if (id !== undefined && !chosen) {
      throw new RuleError('PlannedNotFound')
    }
    const { project_id: projectId, channel_id: channelId } = place
    await getChannel(ctx.db, { projectId, channelId }, 'editor')
    await transaction(ctx.db, async (trx) => {
      await upsertChannelPlatform(trx, channelId, { planned_id: chosen?.id ?? null })
      await recordChange(ctx, trx, ctx.user, { projectId, channelId }, { planned: chosen?.title ?? null })
    })
    return chosen ? { planned: chosen } : {}
  },

  playlists: async (input, ctx) => ({
    results: [...(await ask(input, ctx, (api, provider, externalId) => provider.playlists?.(api, externalId)))],
  }),
})

const plannedOf = (input: InChannel, ctx: Ctx) =>
  ask(input, ctx, (api, provider, externalId) => provider.planned?.(api, externalId))

/** Calls the platform of a channel. @throws RuleError `NotThere` if it does not support the call */
async function ask<T>(
  { project_id, channel_id }: InChannel,
  ctx: Ctx,
  request: (api: ProviderApi, provider: PlatformAdapter, externalId: string) => Promise<readonly T[]> | undefined,
): Promise<readonly T[]> {
  const channel = await getChannel(ctx.db, { projectId: project_id, channelId: channel_id }, 'editor')
  const account = await accountOf(ctx, channel)
  const provider = ctx.platforms[account.platform]
  return await withAccount(
    ctx,
    account,
    async (api) => request(api, provider, channel.external_id) ?? notThere(),
    ctx.language,
  )
}

function notThere(): never {
  throw new RuleError('NotThere')
}
