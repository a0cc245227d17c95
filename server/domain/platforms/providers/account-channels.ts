// Channels that come from accounts: made when the account is connected, or one by one from its places.
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { transaction } from '#server/db/transaction.ts'
import { sealSecret } from '#server/domain/channels/secrets.ts'
import { type ChannelRow, getChannel } from '#server/domain/channels/channels.ts'
import { addChannel } from '#server/domain/channels/change.ts'
import { addressWithoutQuery, type Destination, readAddress } from '#server/domain/channels/destinations.ts'
import { readSettings } from '#server/domain/channels/stream-info.ts'
import { renewTokens, unsealTokens } from './account-tokens.ts'
import { getAccount, getPlace, withAccount } from './accounts.ts'
import { type AccountRow, findAccount, findChannelPlatform } from './accounts-store.ts'
import type { Ingest, Place } from './provider.ts'
import { providers } from './registry.ts'

/** Channel of a project that a place of a platform already is; undefined when it is none. */
const findChannelAt = ({ db }: Pick<Services, 'db'>, projectId: number, account: AccountRow, place: string) =>
  db
    .selectFrom('channels')
    .innerJoin('project_channels as link', (join) =>
      join.onRef('link.channel_id', '=', 'channels.id').onRef('link.project_id', '=', 'channels.owner_project_id'),
    )
    .select(['channels.id', 'link.active'])
    .where('channels.owner_project_id', '=', projectId)
    .where('channels.type', '=', providers[account.platform].type)
    .where('channels.external_id', '=', place)
    .executeTakeFirst()

/** What a project's channels already are at a platform: place > channel. */
export async function connectedPlaces(
  { db }: Pick<Services, 'db'>,
  projectId: number,
  account: AccountRow,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('channels')
    .select(['id', 'external_id'])
    .where('owner_project_id', '=', projectId)
    .where('type', '=', providers[account.platform].type)
    .where('external_id', '<>', '')
    .execute()
  return new Map(rows.map(({ id, external_id }) => [external_id, id]))
}

/** The channel that a connected account is: the one that is there gets the account back, else a new one. */
export async function channelOf(
  services: Services,
  user: User,
  projectId: number,
  account: AccountRow,
): Promise<{ readonly id: number; readonly active: boolean }> {
  const [place] = await withAccount(services, account, (api) => providers[account.platform].places(api))
  if (!place) throw new RuleError('NoChannelThere', 'The account has no channel there')
  return await takePlace(services, user, { projectId, account, place })
}

/**
 * Makes a place of an account a channel of a project (`channel/add/vk`, `channel/add/ok`).
 * @param by `ingest` where the person pastes address and key
 * @throws RuleError `AccountNotFound`, `PlaceNotFound`, `AlreadyAdded`, refusals of the platform
 */
export async function addPlace(
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
  const place = await getPlace(services, account, placeId)
  const there = await findChannelAt(services, projectId, account, place.id)
  if (there) throw new RuleError('AlreadyAdded', 'The project has this channel already', { channel_id: there.id })
  return await insert(services, user, { projectId, account, place, ingest, isGiven: false })
}

/** Address and key of a platform as a channel has them. */
function destinationOf({ config }: Services, { url, key }: Ingest) {
  const destination = readAddress(url, config)
  if ('fault' in destination) {
    throw new RuleError('AddressNotUsable', 'The platform gave an address that streams cannot go to')
  }
  return { destination, streamKey: key }
}

/** Where the streams of a place go, if that is known before a broadcast. */
interface Given {
  readonly ingest: ReturnType<typeof destinationOf> | undefined
}

interface Taking {
  readonly projectId: number
  readonly account: AccountRow
  readonly place: Place
}

async function takePlace(services: Services, user: User, { projectId, account, place }: Taking) {
  const provider = providers[account.platform]
  const given = await withAccount(services, account, async (api) => provider.ingest?.(api, place.id))
  const ingest = given && destinationOf(services, given)
  const there = await findChannelAt(services, projectId, account, place.id)
  if (!there) return await insert(services, user, { projectId, account, place, ingest, isGiven: true })
  await reconnect(services, there.id, account, ingest)
  return { id: there.id, active: there.active === 1 }
}

async function insert(
  services: Services,
  user: User,
  { projectId, account, place, ingest, isGiven }: Taking & Given & { readonly isGiven: boolean },
) {
  const { channelId, active } = await addChannel(services, user, {
    projectId,
    type: providers[account.platform].type,
    name: place.name.slice(0, 255) || account.name,
    channelUrl: place.url,
    externalId: place.id,
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
) =>
  transaction(services.db, async (trx) => {
    const address = ingest && {
      address: addressWithoutQuery(ingest.destination),
      secret_sealed: sealSecret(services, { key: ingest.streamKey, query: ingest.destination.query }),
      custom: 0 as const,
    }
    await trx
      .updateTable('channels')
      .set({ account_id: account.id, ...address })
      .where('id', '=', channelId)
      .execute()
  })

/** The account that a channel comes from. @throws RuleError `NoAccount` */
export async function accountOf({ db }: Pick<Services, 'db'>, { account_id }: ChannelRow): Promise<AccountRow> {
  const account = account_id === null ? undefined : await findAccount(db, account_id)
  if (!account) throw new RuleError('NoAccount', 'The channel was added by address and key: it has no account')
  return account
}

/**
 * Tells the platform of a channel what its settings say, where the channel has an account and the platform listens.
 * @throws refusals of the platform; the settings stay kept
 */
export async function describeChannel(
  services: Services,
  place: { readonly projectId: number; readonly channelId: number },
): Promise<void> {
  const channel = await getChannel(services.db, place, 'editor')
  const account = channel.account_id === null ? undefined : await findAccount(services.db, channel.account_id)
  if (!account) return
  const { describe } = providers[account.platform]
  if (!describe) return
  const there = await findChannelPlatform(services.db, channel.id)
  const settings = readSettings(channel.settings)
  await withAccount(services, account, (api) => describe(api, channel.external_id, settings, there?.planned_id ?? null))
}

/** Fetches new tokens for the account of a channel, and its address and key where the platform keeps them. */
export async function updateChannelToken(
  services: Services,
  place: { readonly projectId: number; readonly channelId: number },
): Promise<void> {
  const channel = await getChannel(services.db, place, 'editor')
  const account = await accountOf(services, channel)
  // Tokens without an end and without a successor are as good as they get.
  const { refreshToken } = unsealTokens(services, account.tokens_sealed)
  const renewed = refreshToken === null ? account : await renewTokens(services, account)
  const provider = providers[account.platform]
  const given = await withAccount(services, renewed, async (api) => provider.ingest?.(api, channel.external_id))
  await reconnect(services, channel.id, renewed, given && destinationOf(services, given))
}
