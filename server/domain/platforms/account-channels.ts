// Channels of platform accounts: added when the account is connected, or one by one.
import { accountKinds } from '#contract/platforms/platforms.ts'
import type { Reading, Services, User } from '#server/core/context.ts'
import { describeAtPlatform } from './account-broadcasts.ts'
import { RuleError } from '#server/core/errors.ts'
import { transaction } from '#server/db/transaction.ts'
import { sealSecret } from '#server/domain/channels/secrets.ts'
import { type ChannelInProject, type ChannelRow, getChannel } from '#server/domain/channels/channels.ts'
import { addressWithoutQuery, type Destination, readAddress } from '#server/domain/channels/destinations.ts'
import { renewTokens, unsealTokens } from './account-tokens.ts'
import { askPlatformChannel, getAccount, withAccount } from './accounts.ts'
import { type AccountRow, findAccount } from './accounts-store.ts'
import type { Ingest, PlatformChannel } from '#server/core/platform-adapter.ts'
import { addChannel } from '#server/domain/channels/add.ts'
import { findSame } from '#server/domain/channels/same-destination.ts'
import { findChannel, findChannelByExternalId, listExternalIds, updateChannel } from '#server/domain/channels/store.ts'

/** Returns the channel of a project for a platform channel; undefined when it has none. */
const findAdded = ({ db }: Reading<Pick<Services, 'db'>>, projectId: number, account: AccountRow, externalId: string) =>
  findChannelByExternalId(db, projectId, accountKinds[account.platform].type, externalId)

/** Returns the channels of a project at a platform, by their external id. */
export async function listAdded(
  { db }: Reading<Pick<Services, 'db'>>,
  projectId: number,
  account: AccountRow,
): Promise<ReadonlyMap<string, number>> {
  const rows = await listExternalIds(db, projectId, accountKinds[account.platform].type)
  return new Map(rows.map(({ id, external_id }) => [external_id, id]))
}

/**
 * Returns the channel of an account that has exactly one: reconnects an added channel, gives the account to the channel that was
 * added with its key, or adds it.
 */
export async function addAccountChannel(
  services: Services,
  user: User,
  projectId: number,
  account: AccountRow,
): Promise<{ readonly id: number; readonly active: boolean }> {
  const [platformChannel] = await withAccount(services, account, (api) =>
    services.platforms[account.platform].channels(api),
  )
  if (!platformChannel) throw new RuleError('NoChannelThere')
  return await addOrReconnect(services, user, { projectId, account, platformChannel })
}

/**
 * Adds a platform channel of an account to a project (`channel/add/vk`, `channel/add/ok`).
 * @param by `ingest`: address and key that the user entered
 * @throws RuleError `AccountNotFound`, `PlaceNotFound`, `AlreadyAdded`, refusals of the platform
 */
export async function addPlatformChannel(
  services: Services,
  user: User,
  by: {
    readonly projectId: number
    readonly platform: 'vk' | 'ok'
    readonly accountId: string
    readonly placeId: string
    readonly ingest?: { readonly destination: Destination; readonly streamKey: string }
  },
): Promise<{ readonly id: number; readonly active: boolean }> {
  const { projectId, platform, placeId, ingest } = by
  const id = /^[1-9]\d{0,9}$/.test(by.accountId) ? Number(by.accountId) : 0
  const account = await getAccount(services, user, { id, platform })
  const platformChannel = await askPlatformChannel(services, account, placeId)
  const there = await findAdded(services, projectId, account, platformChannel.id)
  if (there) throw new RuleError('AlreadyAdded', { channel_id: there.id })
  return await insert(services, user, { projectId, account, platformChannel, ingest, isGiven: false })
}

/** Parses address and key that a platform returned. */
function destinationOf({ config }: Reading<Services>, { url, key }: Ingest) {
  const destination = readAddress(url, config)
  if ('fault' in destination) {
    throw new RuleError('AddressNotUsable')
  }
  return { destination, streamKey: key }
}

/** Destination of a platform channel, if the platform assigns it before a broadcast. */
interface WithIngest {
  readonly ingest: ReturnType<typeof destinationOf> | undefined
}

interface Adding {
  readonly projectId: number
  readonly account: AccountRow
  readonly platformChannel: PlatformChannel
}

async function addOrReconnect(services: Services, user: User, { projectId, account, platformChannel }: Adding) {
  const provider = services.platforms[account.platform]
  const given = await withAccount(services, account, async (api) => provider.ingest?.(api, platformChannel.id))
  const ingest = given && destinationOf(services, given)
  const there = await findAdded(services, projectId, account, platformChannel.id)
  if (there) {
    await reconnect(services, there.id, account, ingest)
    return { id: there.id, active: there.active === 1 }
  }
  const byKey = ingest && (await findByKey(services, projectId, account, ingest))
  if (!byKey) return await insert(services, user, { projectId, account, platformChannel, ingest, isGiven: true })
  await reconnect(services, byKey.id, account, ingest, platformChannel)
  return { id: byKey.id, active: byKey.active === 1 }
}

/** Returns the channel that was added with the address and key of the account, and has no account. */
async function findByKey(
  services: Services,
  projectId: number,
  { platform }: AccountRow,
  { destination, streamKey: key }: ReturnType<typeof destinationOf>,
): Promise<ChannelRow | undefined> {
  const [first] = await findSame(services, services.db, projectId, { destination, key })
  const channel = first && (await findChannel(services.db, projectId, first.id))
  return channel?.account_id === null && channel.type === accountKinds[platform].type ? channel : undefined
}

async function insert(
  services: Services,
  user: User,
  { projectId, account, platformChannel, ingest, isGiven }: Adding & WithIngest & { readonly isGiven: boolean },
) {
  const { channelId, active } = await addChannel(services, user, {
    projectId,
    type: accountKinds[account.platform].type,
    name: platformChannel.name.slice(0, 255) || account.name,
    channelUrl: platformChannel.url,
    externalId: platformChannel.id,
    accountId: account.id,
    isGiven,
    ...ingest,
  })
  return { id: channelId, active }
}

const reconnect = (
  services: Services,
  channelId: number,
  account: AccountRow,
  ingest: ReturnType<typeof destinationOf> | undefined,
  /** Left out: as before. */
  platformChannel?: PlatformChannel,
) =>
  transaction(services.db, async (trx) => {
    const address = ingest && {
      address: addressWithoutQuery(ingest.destination),
      secret_sealed: sealSecret(services, { key: ingest.streamKey, query: ingest.destination.query }),
      custom: 0 as const,
    }
    const there = platformChannel && { external_id: platformChannel.id, channel_url: platformChannel.url }
    await updateChannel(trx, channelId, { account_id: account.id, ...address, ...there })
  })

/** Returns the account of a channel. @throws RuleError `NoAccount` */
export async function accountOf(
  { db }: Reading<Pick<Services, 'db'>>,
  { account_id }: ChannelRow,
): Promise<AccountRow> {
  const account = await findAccount(db, account_id)
  if (!account) throw new RuleError('NoAccount')
  return account
}

/**
 * Sends the stream settings of a channel to its platform, if the channel has an account and the platform supports it.
 * @throws refusals of the platform; the settings stay saved
 */
export async function describeChannel(services: Services, ref: ChannelInProject): Promise<void> {
  const channel = await getChannel(services.db, ref, 'editor')
  await describeAtPlatform(services, channel.id)
}

/** Renews the tokens of a channel's account, and its address and key where the platform assigns them. */
export async function updateChannelToken(services: Services, ref: ChannelInProject): Promise<void> {
  const channel = await getChannel(services.db, ref, 'editor')
  const account = await accountOf(services, channel)
  // Tokens without a refresh token do not expire.
  const { refreshToken } = unsealTokens(services, account)
  const renewed = refreshToken === null ? account : await renewTokens(services, account)
  const provider = services.platforms[account.platform]
  const given = await withAccount(services, renewed, async (api) => provider.ingest?.(api, channel.external_id))
  await reconnect(services, channel.id, renewed, given && destinationOf(services, given))
}
