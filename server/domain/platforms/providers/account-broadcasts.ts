// Broadcasts at platforms, by the accounts of their channels: start, end and viewers.
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { readSettings } from '#server/domain/channels/stream-info.ts'
import { type ChannelAtPlatform, findChannelAtPlatform } from '#server/domain/channels/store.ts'
import { mayCountViewers } from '#server/domain/platforms/quota.ts'
import { withAccount } from './accounts.ts'
import { findAccount, findChannelPlatform } from './accounts-store.ts'
import type { Audience, Started } from './provider.ts'
import { providers } from './registry.ts'

/** Returns whether the platform assigns an address to each broadcast of the channel. */
export async function startsAtPlatform(services: Pick<Services, 'db'>, channel: ChannelAtPlatform): Promise<boolean> {
  const account = await findAccount(services.db, channel.account_id)
  return account !== undefined && providers[account.platform].start !== undefined
}

/**
 * Starts a broadcast at the platform of a channel: the planned one, if the user chose one.
 * @throws RuleError `NoAccount`, refusals of the platform
 */
export async function startAtPlatform(services: Services, channel: ChannelAtPlatform): Promise<Started> {
  const account = await findAccount(services.db, channel.account_id)
  const start = account && providers[account.platform].start
  if (!account || !start) throw new RuleError('NoAccount', 'The channel has lost its account. Connect it again.')
  const there = await findChannelPlatform(services.db, channel.id)
  const settings = readSettings(channel.settings)
  return withAccount(services, account, (api) => start(api, channel.external_id, settings, there?.planned_id ?? null))
}

/** Sends the stream settings of a channel to its running broadcast, where the platform takes them. @throws refusals of the platform */
export async function describeAtPlatform(services: Services, channelId: number): Promise<void> {
  const channel = await findChannelAtPlatform(services.db, channelId)
  const account = channel && (await findAccount(services.db, channel.account_id))
  const describe = account && providers[account.platform].describe
  if (!account || !describe) return
  const there = await findChannelPlatform(services.db, channel.id)
  const settings = readSettings(channel.settings)
  if (Object.keys(settings).length === 0) return
  await withAccount(services, account, (api) => describe(api, channel.external_id, settings, there?.planned_id ?? null))
}

/** Ends a broadcast at the platform of a channel, unless the channel disables it (`disable_auto_end`). */
export async function endAtPlatform(services: Services, channelId: number, videoId: string | null): Promise<void> {
  const channel = await findChannelAtPlatform(services.db, channelId)
  const account = channel && (await findAccount(services.db, channel.account_id))
  const end = account && providers[account.platform].end
  if (!account || !end || videoId === null || readSettings(channel.settings)['disable_auto_end'] === true) return
  await withAccount(services, account, (api) => end(api, channel.external_id, videoId))
}

/**
 * Returns the viewers of a channel; null where its platform publishes no count, or its quota has no units left for that.
 * @param isNew the broadcast has just begun: its page is learnt as well, also without those units
 * @throws refusals of the platform
 */
export async function askAudience(
  services: Services,
  {
    channelId,
    videoId,
    isNew,
  }: { readonly channelId: number; readonly videoId: string | null; readonly isNew: boolean },
): Promise<Audience | null> {
  const channel = await findChannelAtPlatform(services.db, channelId)
  const account = channel && (await findAccount(services.db, channel.account_id))
  if (!account || account.status === 0) return null
  const { audience, unitsOf, type } = providers[account.platform]
  if (!audience || (unitsOf && !isNew && !(await mayCountViewers(services, type)))) return null
  return await withAccount(services, account, (api) => audience(api, channel.external_id, videoId))
}
