// Changes of channels: adding, switching, removing, and what belongs to one project's use of a channel.
import type { PlatformType } from '#contract/entities/channel.ts'
import { iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { ForbiddenError, RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { projectTransaction, transaction } from '#server/db/transaction.ts'
import { sealSecret, unsealSecret } from './secrets.ts'
import { lockChannel, noteShared } from './sharing-links.ts'
import { type ChannelRow, getChannel } from './channels.ts'
import { fitGuests } from './fit.ts'
import { countActive, foldName, untested } from './store.ts'
import { addressWithoutQuery, type Destination } from './destinations.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { limitsOf, lockProject, refuseOverLimit } from '#server/domain/tariffs/plan-limits.ts'
import { isCustom } from './platform-hosts.ts'

/** Against accidents and abuse; nobody's tariff comes near it. */
const channelsMax = 2000

/** A channel to add. */
export interface NewChannel {
  readonly projectId: number
  readonly type: PlatformType
  readonly name: string
  readonly channelUrl?: string
  /** Left out where the account gives a new one for each broadcast. */
  readonly destination?: Destination
  /** The platform's own API gave the destination: it is no custom one, wherever it is. */
  readonly isGiven?: boolean
  readonly streamKey?: string
  readonly externalId?: string
  readonly accountId?: number
}

/**
 * Adds a channel to the project that owns it. It is switched on if the tariff has room for it.
 * @throws RuleError `PlanLimitReached` for a custom destination that the tariff does not allow, `TooManyChannels`
 */
export function addChannel(
  services: Services,
  user: User,
  channel: NewChannel,
): Promise<{ channelId: number; active: boolean }> {
  const { projectId, type, name, destination, isGiven } = channel
  const custom = destination !== undefined && !isGiven && isCustom(type, destination, services.config)
  return projectTransaction(services.db, projectId, async (trx) => {
    await lockProject(trx, projectId)
    if (custom) await refuseOverLimit(services, trx, projectId, 'custom_channels', 1)
    await refuseFull(trx, projectId)
    const { channelMax } = await limitsOf(services, trx, projectId)
    const active = (await countActive(trx, projectId)) < channelMax
    const channelId = await insertChannel(services, trx, user, channel, custom)
    await trx
      .insertInto('project_channels')
      .values({
        project_id: projectId,
        channel_id: channelId,
        access_type: 2,
        active: active ? 1 : 0,
        transcoder_id: null,
        delay_seconds: 0,
        date_create: iso(services.clock.now()),
      })
      .execute()
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

/** @throws RuleError `TooManyChannels` when a project can own no other one */
export async function refuseFull(trx: Trx, projectId: number): Promise<void> {
  const { count } = await trx
    .selectFrom('channels')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (count < channelsMax) return
  throw new RuleError('TooManyChannels', `A project has at most ${channelsMax} channels`, { max: channelsMax })
}

async function insertChannel(
  services: Services,
  trx: Trx,
  user: User,
  channel: NewChannel,
  custom: boolean,
): Promise<number> {
  const { destination, name } = channel
  const { id } = await trx
    .insertInto('channels')
    .values({
      owner_project_id: channel.projectId,
      user_id: user.id,
      type: channel.type,
      name,
      name_folded: foldName(name),
      external_id: channel.externalId ?? '',
      channel_url: channel.channelUrl ?? '',
      photo: null,
      account_id: channel.accountId ?? null,
      custom: custom ? 1 : 0,
      ...(destination ? addressColumns(services, destination, channel.streamKey ?? '') : noAddress),
      settings: '{}',
      date_create: iso(services.clock.now()),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const noAddress = { address: null, secret_sealed: null }

const addressColumns = (services: Services, destination: Destination, key: string) => ({
  address: addressWithoutQuery(destination),
  secret_sealed: sealSecret(services, { key, query: destination.query }),
  ...untested,
})

/** One project and one of its channels. */
export interface Place {
  readonly projectId: number
  readonly channelId: number
}

/** Takes a channel out of a project. Where the project owns it, it is gone for everybody. */
export function removeChannel(services: Services, user: User, place: Place): Promise<void> {
  return transaction(services.db, async (trx) => {
    await lockChannel(trx, place.channelId)
    const channel = await getChannel(trx, place, 'viewer')
    const own = channel.owner_project_id === place.projectId
    await noteShared(services, trx, {
      userId: user.id,
      channelId: channel.id,
      name: channel.name,
      ownerId: channel.owner_project_id,
      guestId: own ? null : place.projectId,
      action: 'project_channel_del',
      details: { type: channel.type },
    })
    if (own) await trx.deleteFrom('channels').where('id', '=', channel.id).execute()
    else await trx.deleteFrom('project_channels').where('id', '=', channel.link_id).execute()
  })
}

/** Changes what belongs to the project's own use of a channel; delay in seconds. */
export const setPersonal = (
  services: Services,
  user: User,
  place: Place,
  change: { readonly delay_seconds: number } | { readonly transcoder_id: number | null },
): Promise<void> =>
  inChannel(
    services,
    user,
    place,
    () => change,
    async (trx, { link_id }) => {
      await trx.updateTable('project_channels').set(change).where('id', '=', link_id).execute()
    },
  )

/** Gives a channel another name. Only the project that owns it may. */
export const renameChannel = (services: Services, user: User, place: Place, name: string): Promise<void> =>
  inChannel(
    services,
    user,
    place,
    ({ name: was }) => ({ was, name }),
    async (trx, channel) => {
      mustOwn(channel)
      await trx
        .updateTable('channels')
        .set({ name, name_folded: foldName(name) })
        .where('id', '=', channel.id)
        .execute()
    },
  )

/**
 * Sends a channel somewhere else. Only the project that owns it may. A custom address switches the channel off in projects
 * that it is shared with and whose tariffs allow none.
 * @param streamKey left out: the key stays
 * @throws RuleError `PlanLimitReached` for a new custom address that the tariff does not allow
 */
export function moveChannel(
  services: Services,
  user: User,
  place: Place,
  { destination, streamKey }: { readonly destination: Destination; readonly streamKey?: string | undefined },
): Promise<void> {
  const address = addressWithoutQuery(destination)
  return inChannel(
    services,
    user,
    place,
    () => ({ address }),
    async (trx, channel) => {
      mustOwn(channel)
      const key = streamKey ?? unsealSecret(services, channel.secret_sealed).key
      const columns = addressColumns(services, destination, key)
      const isNew = address !== channel.address
      const custom = isNew ? isCustom(channel.type, destination, services.config) : channel.custom === 1
      if (custom && isNew) {
        await lockProject(trx, place.projectId)
        await refuseOverLimit(services, trx, place.projectId, 'custom_channels', 1)
      }
      await trx
        .updateTable('channels')
        .set({ ...columns, custom: custom ? 1 : 0 })
        .where('id', '=', channel.id)
        .execute()
      if (custom && channel.custom === 0) await fitGuests(services, trx, channel.id)
    },
  )
}

/** Keeps what a platform is told about the stream, in the names of the wire's writes. */
export const saveSettings = (
  services: Services,
  user: User,
  place: Place,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> =>
  inChannel(
    services,
    user,
    place,
    () => ({ settings: Object.keys(settings) }),
    async (trx, { id }) => {
      await trx
        .updateTable('channels')
        .set({ settings: JSON.stringify(settings) })
        .where('id', '=', id)
        .execute()
    },
  )

/** Changes a channel that the project may edit, and notes it. */
function inChannel(
  services: Services,
  user: User,
  place: Place,
  detailsOf: (channel: ChannelRow) => object,
  change: (trx: Trx, channel: ChannelRow) => Promise<void>,
): Promise<void> {
  return transaction(services.db, async (trx) => {
    const channel = await getChannel(trx, place, 'editor')
    await change(trx, channel)
    await noteChange(services, trx, user, place, { name: channel.name, ...detailsOf(channel) })
  })
}

function mustOwn(channel: ChannelRow): void {
  if (channel.owner_project_id !== channel.project_id) throw new ForbiddenError()
}

/** Notes a change of a channel in the history of the project. */
export const noteChange = (
  services: Services,
  trx: Trx,
  user: User,
  { projectId, channelId }: Place,
  details: object,
) =>
  recordHistory(services, trx, {
    projectId,
    userId: user.id,
    action: 'project_channel_change',
    channelId,
    details: { ...details },
  })
