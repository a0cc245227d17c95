// Changes of channels: removing, renaming, moving, and settings of one project.
import {
  isMainTracks,
  type LadderChoice,
  mainTracks,
  type SilenceChoice,
  TrackChoice,
} from '#contract/entities/tracks.ts'
import { canHeal, needsSound } from '#contract/platforms/platforms.ts'
import type { HistoryDetails } from '#contract/entities/history.ts'
import type { Services, User } from '#server/core/context.ts'
import { ForbiddenError, RuleError } from '#server/core/errors.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { refuseOverLimit } from '#server/domain/tariffs/plan-limits.ts'
import { addressColumns } from './add.ts'
import { recordChange } from './channel-history.ts'
import { type ChannelInProject, type ChannelRow, getChannel } from './channels.ts'
import { addressWithoutQuery, type Destination, isCustom } from './destinations.ts'
import { fitGuests } from './fit.ts'
import { lockProjectsOfChannel, removeLink, updateLink } from './links-store.ts'
import { refuseSecond } from './same-destination.ts'
import { unsealSecret } from './secrets.ts'
import { recordSharedChange } from './sharing.ts'
import { lockChannel, removeChannelRow, updateChannel } from './store.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'

/** Removes a channel from a project. The owner removes it from every project. */
export function removeChannel(services: Services, user: User, ref: ChannelInProject): Promise<void> {
  return transaction(services.db, async (trx) => {
    await lockChannel(trx, ref.channelId)
    const channel = await getChannel(trx, ref, 'viewer')
    const own = channel.owner_project_id === ref.projectId
    await recordSharedChange(services, trx, {
      userId: user.id,
      channelId: channel.id,
      name: channel.name,
      ownerId: channel.owner_project_id,
      guestId: own ? null : ref.projectId,
      action: 'project_channel_del',
      details: { type: channel.type },
    })
    if (own) await removeChannelRow(trx, channel.id)
    else await removeLink(trx, channel.link_id)
  })
}

/** Changes a project's own settings of a channel; delay in seconds. */
export const setPersonal = (
  services: Services,
  user: User,
  ref: ChannelInProject,
  change: { readonly delay_seconds: number } | { readonly transcoder_id: number | null },
): Promise<void> =>
  inChannel(
    services,
    user,
    ref,
    () => change,
    (trx, { link_id }) => updateLink(trx, link_id, change),
  )

/** Chooses the tracks of the encoder that a project sends to a channel. */
export const setTracks = (services: Services, user: User, ref: ChannelInProject, tracks: TrackChoice): Promise<void> =>
  inChannel(
    services,
    user,
    ref,
    () => ({ tracks }),
    (trx, { link_id }) => updateLink(trx, link_id, { tracks: isMainTracks(tracks) ? null : JSON.stringify(tracks) }),
  )

/** Chooses whether a channel gets silence while the stream of the project has no sound. */
export const setSilence = (
  services: Services,
  user: User,
  ref: ChannelInProject,
  silence: SilenceChoice,
): Promise<void> =>
  inChannel(
    services,
    user,
    ref,
    () => ({ silence }),
    (trx, { link_id }) => updateLink(trx, link_id, { silence: silence === 'auto' ? null : silence }),
  )

/** Chooses whether a project sends a slow channel a smaller picture of the encoder. */
export const setLadder = (services: Services, user: User, ref: ChannelInProject, ladder: LadderChoice): Promise<void> =>
  inChannel(
    services,
    user,
    ref,
    () => ({ ladder }),
    (trx, { link_id }) => updateLink(trx, link_id, { ladder: ladder === 'same_size' ? null : ladder }),
  )

/**
 * Switches healing of a channel in a project: a new broadcast when the platform shows the old one no longer.
 * @throws RuleError `NoHealing` where the platform, or a channel without an account, does not allow it
 */
export const setHealing = (services: Services, user: User, ref: ChannelInProject, healing: boolean): Promise<void> =>
  inChannel(
    services,
    user,
    ref,
    () => ({ healing }),
    async (trx, channel) => {
      if (healing && !hasHealing(channel)) throw new RuleError('NoHealing')
      await updateLink(trx, channel.link_id, { healing: healing ? 1 : 0 })
    },
  )

/** Returns whether a new broadcast can be made at the platform of a channel. */
export const hasHealing = ({ type, account_id }: Pick<ChannelRow, 'type' | 'account_id'>): boolean =>
  canHeal(type) && account_id !== null

/** Returns the tracks that a project chose for a channel. */
export const tracksOf = ({ tracks }: Pick<ChannelRow, 'tracks'>): TrackChoice =>
  tracks === null ? mainTracks : TrackChoice.parse(JSON.parse(tracks))

/** Returns whether a channel gets silence while the stream has no sound. */
export const hasSilence = ({ type, silence }: Pick<ChannelRow, 'type' | 'silence'>): boolean =>
  silence === null ? needsSound(type) : silence === 'always'

/** Renames a channel. @throws ForbiddenError unless the project owns it */
export const renameChannel = (services: Services, user: User, ref: ChannelInProject, name: string): Promise<void> =>
  inChannel(
    services,
    user,
    ref,
    ({ name: was }) => ({ was, name }),
    async (trx, channel) => {
      mustOwn(channel)
      await updateChannel(trx, channel.id, { name })
    },
  )

/**
 * Changes the page of a channel at its platform.
 * @param page web address; empty: none
 * @throws ForbiddenError unless the project owns it
 */
export const setChannelPage = (services: Services, user: User, ref: ChannelInProject, page: string): Promise<void> =>
  inChannel(
    services,
    user,
    ref,
    () => ({ page }),
    async (trx, channel) => {
      mustOwn(channel)
      await updateChannel(trx, channel.id, { channel_url: page })
    },
  )

/**
 * Changes the address of a channel. A custom address switches the channel off in guest projects whose plans allow none.
 * @param destination `streamKey` left out: unchanged
 * @throws ForbiddenError unless the project owns it; RuleError `PlanLimitReached` for a custom address,
 *   `KeyUnreadable` without a key where the saved one cannot be read, `AlreadyAdded`
 */
export function moveChannel(
  services: Services,
  user: User,
  ref: ChannelInProject,
  { destination, streamKey }: { readonly destination: Destination; readonly streamKey?: string | undefined },
): Promise<void> {
  const address = addressWithoutQuery(destination)
  return inChannel(
    services,
    user,
    ref,
    () => ({ address }),
    async (trx, channel) => {
      mustOwn(channel)
      const key = streamKey ?? unsealSecret(services, channel.secret_sealed)?.key
      if (key === undefined) throw new RuleError('KeyUnreadable_stream')
      const columns = addressColumns(services, destination, key)
      const isNew = address !== channel.address
      const custom = isNew ? isCustom(channel.type, destination, services.config) : channel.custom === 1
      await (custom ? lockProjectsOfChannel(trx, channel.id) : lockProject(trx, ref.projectId))
      await refuseSecond(services, trx, ref, { destination, key })
      if (custom && isNew) await refuseOverLimit(services, trx, ref.projectId, 'custom_channels', 1)
      await updateChannel(trx, channel.id, { ...columns, custom: custom ? 1 : 0 })
      if (custom && channel.custom === 0) await fitGuests(services, trx, channel.id)
    },
  )
}

/** Saves the stream settings of a channel, in the names of the wire's writes. */
export const saveSettings = (
  services: Services,
  user: User,
  ref: ChannelInProject,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> =>
  inChannel(
    services,
    user,
    ref,
    () => ({ settings: Object.keys(settings) }),
    (trx, { id }) => updateChannel(trx, id, { settings: JSON.stringify(settings) }),
  )

/** Changes a channel that the project may edit, and records the change. */
function inChannel(
  services: Services,
  user: User,
  ref: ChannelInProject,
  detailsOf: (channel: ChannelRow) => HistoryDetails<'project_channel_change'>,
  change: (trx: Trx, channel: ChannelRow) => Promise<void>,
): Promise<void> {
  return transaction(services.db, async (trx) => {
    const channel = await getChannel(trx, ref, 'editor')
    await change(trx, channel)
    await recordChange(services, trx, user, ref, { name: channel.name, ...detailsOf(channel) })
  })
}

function mustOwn(channel: ChannelRow): void {
  if (channel.owner_project_id !== channel.project_id) throw new ForbiddenError()
}
