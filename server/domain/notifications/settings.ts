// Settings of notifications: a matrix of channels and categories for each user and project, with defaults.
import { NotifyCategory, NotifyChannel } from '#contract/entities/notification.ts'
import type { KindSpec } from './kinds.ts'
import { listSettings } from './addresses-store.ts'
import type { ReadDb } from '#server/db/open.ts'

/** Default of each category of a channel. */
const defaults: Readonly<Record<NotifyChannel, Readonly<Record<NotifyCategory, boolean>>>> = {
  cabinet: { important: true, stream: true },
  telegram: { important: true, stream: true },
  mobile: { important: true, stream: true },
  email: { important: true, stream: false },
}

/** Returns whether a category of a channel is on. */
export type IsOn = (userId: number, channel: NotifyChannel, category: NotifyCategory) => boolean

/** Loads the settings of users in a project. */
export async function settingsOf(db: ReadDb, userIds: readonly number[], projectId: number): Promise<IsOn> {
  const rows = userIds.length === 0 ? [] : await listSettings(db, userIds, projectId)
  const cells = new Map(rows.map((row) => [`${row.user_id} ${row.channel} ${row.category}`, row.is_on === 1]))
  return (userId, channel, category) => cells.get(`${userId} ${channel} ${category}`) ?? defaults[channel][category]
}

/** Returns the matrix of a user in a project. */
export async function matrixOf(db: ReadDb, userId: number, projectId: number) {
  const isOn = await settingsOf(db, [userId], projectId)
  const of = (channel: NotifyChannel) => NotifyCategory.options.filter((category) => isOn(userId, channel, category))
  return { cabinet: of('cabinet'), telegram: of('telegram'), mobile: of('mobile'), email: of('email') }
}

/** Returns the channels that a kind may use for a user. */
export const channelsFor = (spec: KindSpec, userId: number, isOn: IsOn): NotifyChannel[] =>
  spec.isInApp
    ? ['cabinet']
    : NotifyChannel.options.filter(
        (channel) => isOn(userId, channel, spec.category) && (channel !== 'email' || mayMail(spec)),
      )

/** Important kinds are sent by e-mail only where the table says so; stream kinds where the user switched them on. */
const mayMail = ({ category, email }: KindSpec): boolean => category === 'stream' || email === true
