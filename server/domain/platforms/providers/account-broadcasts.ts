// Broadcasts at platforms, by the accounts of their channels: beginning them, ending them, and how many watch.
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { readSettings } from '#server/domain/channels/stream-info.ts'
import type { ChannelRow } from '#server/domain/channels/store.ts'
import { withAccount } from './accounts.ts'
import { type AccountRow, findAccount, findChannelPlatform } from './accounts-store.ts'
import type { Audience, Started } from './provider.ts'
import { providers } from './registry.ts'

/** Where a channel is at its platform. */
type Place = Pick<ChannelRow, 'id' | 'account_id' | 'external_id' | 'settings'>

const accountAt = async ({ db }: Pick<Services, 'db'>, { account_id }: Pick<Place, 'account_id'>) =>
  account_id === null ? undefined : await findAccount(db, account_id)

/** Whether the platform gives each broadcast of the channel an address of its own. */
export async function startsAtPlatform(services: Pick<Services, 'db'>, channel: Place): Promise<boolean> {
  const account = await accountAt(services, channel)
  return account !== undefined && providers[account.platform].start !== undefined
}

/**
 * Begins a broadcast at the platform of a channel; the planned one, where one was chosen.
 * @throws RuleError `NoAccount`, refusals of the platform
 */
export async function startAtPlatform(services: Services, channel: Place): Promise<Started> {
  const account = await accountAt(services, channel)
  const start = account && providers[account.platform].start
  if (!account || !start) throw new RuleError('NoAccount', 'The channel has lost its account. Connect it again.')
  const there = await findChannelPlatform(services.db, channel.id)
  const settings = readSettings(channel.settings)
  return withAccount(services, account, (api) => start(api, channel.external_id, settings, there?.planned_id ?? null))
}

/** Tells the platform of a channel that a broadcast is over, unless the channel's settings say that it shall go on. */
export async function endAtPlatform(services: Services, channelId: number, videoId: string | null): Promise<void> {
  const channel = await findPlace(services, channelId)
  const account = channel && (await accountAt(services, channel))
  const end = account && providers[account.platform].end
  if (!account || !end || videoId === null || readSettings(channel.settings)['disable_auto_end'] === true) return
  await withAccount(services, account, (api) => end(api, channel.external_id, videoId))
}

/** How many watch a channel now; null where its platform does not say. @throws refusals of the platform */
export async function audienceOf(
  services: Services,
  channelId: number,
  videoId: string | null,
): Promise<Audience | null> {
  const channel = await findPlace(services, channelId)
  const account = channel && (await accountAt(services, channel))
  if (!account || account.status === 0) return null
  return await watch(services, account, channel.external_id, videoId)
}

async function watch(services: Services, account: AccountRow, place: string, videoId: string | null) {
  const { audience } = providers[account.platform]
  return audience ? await withAccount(services, account, (api) => audience(api, place, videoId)) : null
}

const findPlace = ({ db }: Pick<Services, 'db'>, channelId: number): Promise<Place | undefined> =>
  db
    .selectFrom('channels')
    .select(['id', 'account_id', 'external_id', 'settings'])
    .where('id', '=', channelId)
    .executeTakeFirst()
