// Adding channels.
import type { PlatformType } from '#contract/entities/channel.ts'
import { channelRights } from '#contract/entities/roles.ts'
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { limitsOf, refuseOverLimit } from '#server/domain/tariffs/plan-limits.ts'
import { addressWithoutQuery, type Destination, isCustom } from './destinations.ts'
import { countActive, insertLink } from './links-store.ts'
import { refuseSecond } from './same-destination.ts'
import { sealSecret } from './secrets.ts'
import { countOwned, insertChannel, untested } from './store.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'

/** Limit against abuse, above every plan. */
const channelsMax = 2000

/** A channel to add. */
export interface NewChannel {
  readonly projectId: number
  readonly type: PlatformType
  readonly name: string
  readonly channelUrl?: string
  /** Left out if the platform assigns an address to each broadcast. */
  readonly destination?: Destination
  /** The platform's API returned the destination: it is not custom, on any host. */
  readonly isGiven?: boolean
  readonly streamKey?: string
  readonly externalId?: string
  readonly accountId?: number
}

/**
 * Adds a channel to the project that owns it. Switches it on if the plan allows another one.
 * @throws RuleError `PlanLimitReached` for a custom destination that the plan does not allow, `TooManyChannels`, `AlreadyAdded`
 */
export function addChannel(
  services: Services,
  user: User,
  channel: NewChannel,
): Promise<{ channelId: number; active: boolean }> {
  const { projectId, type, name, destination, streamKey: key = '', isGiven } = channel
  const custom = destination !== undefined && !isGiven && isCustom(type, destination, services.config)
  return projectTransaction(services.db, projectId, async (trx) => {
    await lockProject(trx, projectId)
    if (custom) await refuseOverLimit(services, trx, projectId, 'custom_channels', 1)
    await refuseFull(trx, projectId)
    if (destination) await refuseSecond(services, trx, { projectId, channelId: null }, { destination, key })
    const { channels } = await limitsOf(services, trx, projectId)
    const active = (await countActive(trx, projectId)) < channels
    const channelId = await insert(services, trx, user, channel, custom)
    await insertLink(trx, {
      project_id: projectId,
      channel_id: channelId,
      access_type: channelRights.own,
      active: active ? 1 : 0,
      date_create: iso(services.clock.now()),
    })
    await recordHistory(services, trx, {
      projectId,
      userId: user.id,
      action: 'project_channel_add',
      channelId,
      details: { name, type, active },
    })
    return { channelId, active }
  })
}

/** Refuses another channel. @throws RuleError `TooManyChannels` when a project owns as many as it may */
export async function refuseFull(trx: Trx, projectId: number): Promise<void> {
  if ((await countOwned(trx, projectId)) < channelsMax) return
  throw new RuleError('TooManyChannels', { max: channelsMax })
}

const insert = (
  services: Services,
  trx: Trx,
  user: User,
  { destination, streamKey = '', ...channel }: NewChannel,
  custom: boolean,
): Promise<number> =>
  insertChannel(trx, {
    owner_project_id: channel.projectId,
    user_id: user.id,
    type: channel.type,
    name: channel.name,
    external_id: channel.externalId ?? '',
    channel_url: channel.channelUrl ?? '',
    photo: null,
    account_id: channel.accountId ?? null,
    custom: custom ? 1 : 0,
    ...(destination ? addressColumns(services, destination, streamKey) : noAddress),
    settings: '{}',
    date_create: iso(services.clock.now()),
  })

const noAddress = { address: null, secret_sealed: null }

/** Columns of a new address: its secrets are sealed, and it is untested. */
export const addressColumns = (services: Services, destination: Destination, key: string) => ({
  address: addressWithoutQuery(destination),
  secret_sealed: sealSecret(services, { key, query: destination.query }),
  ...untested,
})
