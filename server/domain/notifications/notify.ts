// Writes notifications in the transaction of their fact.
import { accessTypesFor } from '#contract/entities/roles.ts'
import type { NotifyChannel } from '#contract/entities/notification.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { upsertLanes, insertDeliveries, type LaneKey, upsertLaneJobs } from './deliveries-store.ts'
import { type CreatedKind, type KindParams, kinds, type KindSpec } from './kinds.ts'
import { listLinkedUsers, listPushUsers } from './addresses-store.ts'
import { channelsFor, type IsOn, settingsOf } from './settings.ts'
import {
  findRecipient,
  insertNotifications,
  listProjectIds,
  listRecipients,
  type Recipient,
  removeUnsettled,
} from './store.ts'
import { queueWebhooks } from './webhook-messages.ts'
import { removeSettlingMessages } from './webhooks-store.ts'

/** A fact that members of a project, or one person, are notified of. */
export interface Fact<K extends CreatedKind = CreatedKind> {
  readonly kind: K
  /** Project of the fact; for a kind about one person, a project of that person. */
  readonly projectId: number
  /** Identity of the fact within its kind and project: a second call with the same creates nothing. */
  readonly ref: string | number
  readonly params: KindParams[K]
  /** The only recipient. Required for kinds without a role. */
  readonly userId?: number
  /** Channels that are not used: their message is sent otherwise. */
  readonly without?: readonly NotifyChannel[]
  /** Exact channels, independent of the settings. */
  readonly only?: readonly NotifyChannel[]
}

/** Returns the stored identity of a fact. One for operators is the same for all of them, whatever their projects. */
export const factOf = ({ kind, projectId, ref }: Pick<Fact, 'kind' | 'projectId' | 'ref'>): string =>
  kinds[kind].isForOperators ? `${kind}:${ref}` : `${kind}:${projectId}:${ref}`

/**
 * Notifies the recipients of a fact. Call it in the transaction of the fact, so that both commit together. Deliveries
 * outside the dashboard are sent by the outbox (`server/delivery`).
 * @returns number of notifications created; 0 for a known fact, and for one that a contrary fact has removed
 * @example await notify(services, trx, { kind: 'broadcast_started', projectId, ref: id, params: { broadcast_id: id } })
 */
export async function notify<K extends CreatedKind>(
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  fact: Fact<K>,
): Promise<number> {
  const spec: KindSpec = kinds[fact.kind]
  const now = clock.now()
  if (spec.contrary && (await removeSettling(trx, factOf({ ...fact, kind: spec.contrary }), iso(now)))) return 0
  const inMs = spec.settleMs ?? 0
  const due = iso(later(now, inMs))
  if (isForWebhooks(spec)) await queueWebhooks(trx, { ...fact, fact: factOf(fact), now, inMs })
  const people = await recipientsOf(trx, spec, fact)
  if (people.length === 0) return 0
  const isOn = await settingsOf(
    trx,
    people.map(({ userId }) => userId),
    fact.projectId,
  )
  const reach = await reachOf(trx, spec, people, isOn, { ...fact, now: iso(now) })
  const isStored = spec.isScreen === true || spec.isJoined === true
  const rows = people.filter(({ userId }) => isStored || (reach.get(userId)?.length ?? 0) > 0)
  if (rows.length === 0) return 0
  const created = await insertNotifications(
    trx,
    rows.map(({ userId }) => ({
      user_id: userId,
      project_id: fact.projectId,
      kind: fact.kind,
      category: spec.category,
      params: JSON.stringify(fact.params),
      fact: factOf(fact),
      in_cabinet: !spec.isScreen && reach.get(userId)?.includes('cabinet') ? 1 : 0,
      is_screen: spec.isScreen ? 1 : 0,
      done: null,
      date_create: iso(now),
      date_show: due,
      date_read: null,
    })),
  )
  if (created.length > 0) await addDeliveries(trx, spec, fact, { created, reach, due, inMs })
  return created.length
}

/** Removes the notifications of a fact that are still settling: the contrary has happened. @returns whether there were any */
export const retract = async (
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  fact: Pick<Fact, 'kind' | 'projectId' | 'ref'>,
): Promise<boolean> => removeSettling(trx, factOf(fact), iso(clock.now()))

/** Removes notifications and messages of a fact that are still settling. @returns whether there were any */
export async function removeSettling(trx: Trx, fact: string, now: string): Promise<boolean> {
  const messages = await removeSettlingMessages(trx, [fact], now)
  return messages + (await removeUnsettled(trx, fact, now)) > 0
}

/** Webhooks receive facts of the project, and neither banners nor invitations. */
const isForWebhooks = ({ role, isScreen, isInvitation }: KindSpec): boolean =>
  role !== null && !isScreen && !isInvitation

async function recipientsOf(trx: ReadDb, { role }: KindSpec, { userId, projectId }: Fact): Promise<Recipient[]> {
  if (userId !== undefined) {
    const person = await findRecipient(trx, userId)
    return person ? [person] : []
  }
  return role === null ? [] : listRecipients(trx, projectId, accessTypesFor(role))
}

type Reach = ReadonlyMap<number, readonly NotifyChannel[]>

/** Returns the channels of each recipient: switched on, and reachable. */
async function reachOf(
  trx: ReadDb,
  spec: KindSpec,
  people: readonly Recipient[],
  isOn: IsOn,
  { without = [], only, now }: Pick<Fact, 'without' | 'only'> & { readonly now: string },
): Promise<Reach> {
  if (spec.isScreen) return new Map()
  const ids = people.map(({ userId }) => userId)
  const telegram = new Set(await listLinkedUsers(trx, ids))
  const mobile = new Set(await listPushUsers(trx, ids, now))
  const reaches: Readonly<Record<NotifyChannel, (person: Recipient) => boolean>> = {
    cabinet: () => true,
    email: ({ email }) => email !== null,
    telegram: ({ userId }) => telegram.has(userId),
    mobile: ({ userId }) => mobile.has(userId),
  }
  return new Map(
    people.map((person) => [
      person.userId,
      (only ?? channelsFor(spec, person.userId, isOn)).filter(
        (channel) => reaches[channel](person) && !without.includes(channel),
      ),
    ]),
  )
}

async function addDeliveries(
  trx: Trx,
  spec: KindSpec,
  { projectId, userId }: Fact,
  {
    created,
    reach,
    due,
    inMs,
  }: {
    readonly created: readonly { id: number; userId: number }[]
    readonly reach: Reach
    readonly due: string
    readonly inMs: number
  },
): Promise<void> {
  const wanted = created.flatMap((row) =>
    (reach.get(row.userId) ?? []).flatMap((channel) => (channel === 'cabinet' ? [] : [{ ...row, channel }])),
  )
  // Open pages of every project of the person show the number of unread notifications.
  const projects = spec.role === null && userId !== undefined ? await listProjectIds(trx, userId) : [projectId]
  const keys: LaneKey[] = [
    ...projects.map((id) => ({ user_id: 0, project_id: id, channel: 'cabinet' as const })),
    ...wanted.map((row) => ({ user_id: row.userId, project_id: projectId, channel: row.channel })),
  ]
  const lanes = await upsertLanes(trx, keys)
  const laneOf = new Map(lanes.map((lane) => [`${lane.user_id} ${lane.channel}`, lane.id]))
  const deliveries = wanted.map(({ id, userId: recipient, channel }) => ({
    notification_id: id,
    lane_id: laneOf.get(`${recipient} ${channel}`) ?? 0,
    channel,
    state: 'waiting' as const,
    date_due: due,
    batch: null,
    mark: null,
    date_sent: null,
  }))
  if (deliveries.length > 0) await insertDeliveries(trx, deliveries)
  await upsertLaneJobs(trx, lanes, inMs)
}
