// Outbox: turns waiting deliveries of a lane into one message at a time. Steps of a message: lease of the lane's job, begin
// (committed before the call), send, finish. After a replica that ends in between, the next run continues with the same message.
//
// Guarantee: `stream` at most once, because a message whose outcome is unknown is not sent again; `important` at least once, with
// the same id. Telegram has no id for repetitions: an unknown outcome is repeated once.
import { randomUUID } from 'node:crypto'
import type { Language } from '#contract/core/wire.ts'
import type { NotifyChannel } from '#contract/entities/notification.ts'
import { type AccessType, roleCan } from '#contract/entities/roles.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { type Job, outcomeOf } from '#server/core/jobs.ts'
import { hashOf } from '#server/core/secrets.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { hasOperator } from '#server/domain/installation/store.ts'
import { findMember } from '#server/domain/projects/store.ts'
import {
  findContact,
  findLane,
  type LaneDelivery,
  type LaneRow,
  listLaneDeliveries,
  findNextDue,
  findNextShown,
  updateChangedWaiting,
  updateDeliveries,
  updateDeliveriesSending,
  updateLane,
} from './deliveries-store.ts'
import { kindOf, linkOf } from './kinds.ts'
import { notify } from './notify.ts'
import { findQuiet } from './addresses-store.ts'
import {
  afterMessage,
  allowedFrom,
  dayOf,
  deliveryRetries,
  type LaneState,
  type Quiet,
  quietUntil,
  retryDelay,
} from './rules.ts'
import { type IsOn, settingsOf } from './settings.ts'
import { textOf } from './texts.ts'

type OutboxServices = Pick<Services, 'db' | 'clock'>

/** Most notifications of one message. */
const batchMax = 50

/** One notification of a message. */
export interface MessageItem {
  readonly kind: string
  readonly title: string
  readonly text: string
  /** Path of the dashboard. */
  readonly link: string | null
  readonly date: string
}

/** A message to one recipient, about one notification or several. */
export interface Message {
  /** The same when the message is repeated. */
  readonly id: string
  readonly channel: NotifyChannel
  readonly userId: number
  readonly projectId: number
  readonly language: Language
  readonly email: string | null
  /** Chat of Telegram. */
  readonly chatId: string | null
  readonly items: readonly MessageItem[]
}

/**
 * Outcome of a call. `refused`: certainly not sent, try later. `unknown`: the connection ended during the call. `gone`: the
 * address does not exist, and no attempt can succeed. `off`: the installation or the user does not have the channel.
 */
export type Outcome =
  | { readonly is: 'sent' | 'unknown' | 'gone' | 'off' }
  | { readonly is: 'refused'; readonly retryAfterMs?: number }

/** A message that was begun, with its deliveries. */
export interface Begun {
  /** Run of the lane's job. */
  readonly job: Job
  readonly lane: LaneRow
  readonly message: Message
  readonly deliveries: readonly { readonly row: LaneDelivery; readonly mark: string }[]
}

/**
 * Begins the next message of the lane of a job: chooses its deliveries, checks rights and settings again, and commits that it is
 * being sent. Continues a message that another replica left.
 * @returns null when the lane has nothing to send now; the run has ended
 * @throws FencedError when another run has the lane
 */
export const begin = ({ db, clock }: OutboxServices, job: Job): Promise<Begun | null> =>
  transaction(db, async (trx) => {
    await job.fence(trx)
    const lane = await findLane(trx, Number(job.key))
    if (!lane) return null
    const now = clock.now()
    const again = await left(trx, lane)
    const until = again && quietUntil(await quietOf(trx, lane), 'important', now.getTime())
    if (until !== null) {
      await job.finish(trx, { againMs: until - now.getTime() })
      return null
    }
    const rows = again ?? (await due(trx, lane, now))
    const contact = rows.length === 0 ? undefined : await findContact(trx, lane.user_id)
    if (rows.length === 0 || !contact) {
      await end(trx, job, lane, now)
      return null
    }
    const { language, email, chatId } = contact
    const deliveries = rows.map((row) => ({ row, mark: hashOf(textOf(row, 'en').join('\n')) }))
    const fresh = deliveries.filter(({ row, mark }) => row.mark !== mark || row.batch !== null)
    const same = deliveries.filter((one) => !fresh.includes(one)).map(({ row }) => row)
    // A channel that failed, recovered and failed again has nothing new to report.
    await updateDeliveries(trx, idsOf(same), { state: 'sent', batch: null })
    if (fresh.length === 0) {
      await end(trx, job, lane, now)
      return null
    }
    const id = rows[0]?.batch ?? randomUUID()
    await updateDeliveriesSending(trx, idsOf(fresh.map(({ row }) => row)), id)
    await updateLane(trx, lane.id, { batch: id })
    const { channel, user_id: userId, project_id: projectId } = lane
    const items = fresh.map(({ row }) => itemOf(row, language))
    return { job, lane, deliveries: fresh, message: { id, channel, userId, projectId, language, email, chatId, items } }
  })

function itemOf(row: LaneDelivery, language: Language): MessageItem {
  const [title, text] = textOf(row, language)
  return { kind: row.kind, title, text, link: linkOf(row.kind, row.projectId, JSON.parse(row.params)), date: row.date }
}

/** Returns the deliveries of a message that was left, as far as they are sent again; null without one. */
async function left(trx: Trx, lane: LaneRow): Promise<LaneDelivery[] | null> {
  if (lane.batch === null) return null
  const rows = await listLaneDeliveries(trx, lane.id, { batch: lane.batch })
  const may = await permissionOf(trx, lane)
  const again = rows.filter((row) => repeatDelay(lane, row, row.attempts) !== null && may(row))
  const over = rows.filter((row) => !again.includes(row))
  await updateDeliveries(trx, idsOf(over), { state: 'unknown', batch: null })
  if (again.length > 0) return again
  await updateLane(trx, lane.id, { batch: null })
  lane.batch = null
  return null
}

/** Returns the pause before a delivery with an unknown outcome is repeated; null: it is not. @param attempts so far */
function repeatDelay({ channel }: LaneRow, { category }: LaneDelivery, attempts: number): number | null {
  if (category !== 'important' || (channel === 'telegram' && attempts > 1)) return null
  return retryDelay(deliveryRetries, attempts)
}

/** Returns the deliveries of one message that may be sent now. The others are skipped, or wait. */
async function due(trx: Trx, lane: LaneRow, now: Date): Promise<LaneDelivery[]> {
  const ms = now.getTime()
  const from = allowedFrom(stateOf(lane), ms)
  if (from > ms) {
    await holdBack(trx, lane.id, iso(now), iso(new Date(from)))
    return []
  }
  const rows = await listLaneDeliveries(trx, lane.id, { dueBy: iso(now), limit: batchMax })
  const may = await permissionOf(trx, lane)
  const quiet = await quietOf(trx, lane)
  await updateDeliveries(trx, idsOf(rows.filter((row) => !may(row))), { state: 'skipped', batch: null })
  const byEnd = Map.groupBy(rows.filter(may), ({ kind, category }) =>
    kind === 'notification_test' ? null : quietUntil(quiet, category, ms),
  )
  for (const [until, quieted] of byEnd)
    if (until !== null) await updateDeliveries(trx, idsOf(quieted), { date_due: iso(new Date(until)) })
  const allowed = byEnd.get(null) ?? []
  // A message that is repeated is one of its own: its deliveries have kept its id.
  const batch = allowed.find((row) => row.batch !== null)?.batch ?? null
  return allowed.filter((row) => row.batch === batch)
}

const idsOf = (rows: readonly Pick<LaneDelivery, 'id'>[]): number[] => rows.map(({ id }) => id)

/** Quiet hours apply to Telegram and browsers: e-mail makes no sound. */
async function quietOf(trx: ReadDb, { user_id, channel }: LaneRow): Promise<Quiet | null> {
  const row = channel === 'email' ? undefined : await findQuiet(trx, user_id)
  if (!row) return null
  return { from: row.quiet_from, to: row.quiet_to, timeZone: row.time_zone, important: row.quiet_important === 1 }
}

/** Rights and settings of a recipient. */
interface Standing {
  /** Null also while the recipient lacks a second factor that is demanded. */
  readonly role: AccessType | null
  readonly isOperator: boolean
  readonly isOn: IsOn
}

function mayReceive(
  { kind, category }: LaneDelivery,
  { user_id, channel }: LaneRow,
  { role, isOperator, isOn }: Standing,
): boolean {
  const spec = kindOf(kind)
  if (!spec) return false
  if (kind === 'notification_test') return true
  if (spec.isForOperators && !isOperator) return false
  if (spec.role !== null && (role === null || !roleCan(role, spec.role))) return false
  return isOn(user_id, channel, category)
}

/** Returns whether the recipient of a lane may receive a delivery now, by rights and settings. */
async function permissionOf(trx: ReadDb, lane: LaneRow): Promise<(row: LaneDelivery) => boolean> {
  const member = await findMember(trx, lane.user_id, lane.project_id)
  const standing = {
    isOn: await settingsOf(trx, [lane.user_id], lane.project_id),
    role: member?.lacks_factor === 0 ? member.access_type : null,
    isOperator: await hasOperator(trx, lane.user_id),
  }
  return (row) => mayReceive(row, lane, standing)
}

async function holdBack(trx: Trx, laneId: number, now: string, until: string): Promise<void> {
  const rows = await listLaneDeliveries(trx, laneId, { dueBy: now, limit: 1_000 })
  await updateDeliveries(trx, idsOf(rows), { date_due: until })
}

/**
 * Ends a message, and the run of its lane.
 * @returns number of deliveries that failed for good
 * @throws FencedError when the call took longer than the lease, and another run has the lane
 */
export const finish = (
  services: OutboxServices,
  { job, lane, deliveries, message }: Begun,
  outcome: Outcome,
): Promise<number> =>
  transaction(services.db, async (trx) => {
    await job.fence(trx)
    const now = services.clock.now()
    const ids = deliveries.map(({ row }) => row.id)
    const failed: LaneDelivery[] = []
    if (outcome.is === 'unknown') {
      for (const { row } of deliveries) await keepForRepeat(trx, lane, row, now)
      await updateLane(trx, lane.id, { batch: null })
    } else if (outcome.is === 'off') {
      await updateDeliveries(trx, ids, { state: 'skipped', batch: null })
      await updateLane(trx, lane.id, { batch: null })
    } else if (outcome.is === 'sent') {
      for (const { row, mark } of deliveries)
        await updateDeliveries(trx, [row.id], {
          state: 'sent',
          batch: null,
          mark,
          version: row.version,
          date_sent: iso(now),
        })
      await updateChangedWaiting(trx, ids, iso(now))
      await updateLane(trx, lane.id, { batch: null, ...storedState(afterMessage(stateOf(lane), now.getTime())) })
    } else {
      for (const { row } of deliveries) {
        const pause = outcome.is === 'refused' ? retryDelay(deliveryRetries, row.attempts + 1) : null
        if (pause === null || outcome.is !== 'refused') {
          failed.push(row)
          await updateDeliveries(trx, [row.id], { state: 'failed', batch: null })
          continue
        }
        const wait = Math.max(pause, outcome.retryAfterMs ?? 0)
        await updateDeliveries(trx, [row.id], { state: 'waiting', batch: null, date_due: iso(later(now, wait)) })
      }
      await updateLane(trx, lane.id, { batch: null })
      if (failed.length > 0) await reportUnreachable(services, trx, message)
    }
    await end(trx, job, lane, now)
    return failed.length
  })

/** Has a delivery with an unknown outcome repeated in the same message after a pause, as far as it may be. */
async function keepForRepeat(trx: Trx, lane: LaneRow, row: LaneDelivery, now: Date): Promise<void> {
  const pause = repeatDelay(lane, row, row.attempts + 1)
  const change =
    pause === null
      ? ({ state: 'unknown', batch: null } as const)
      : ({ state: 'waiting', date_due: iso(later(now, pause)) } as const)
  await updateDeliveries(trx, [row.id], change)
}

/** Reports in the dashboard that a channel did not reach its user; once a day. */
async function reportUnreachable(services: OutboxServices, trx: Trx, { channel, projectId, userId }: Message) {
  const ref = `${channel}-${userId}-${dayOf(services.clock.now().getTime())}`
  await notify(services, trx, { kind: 'channel_unreachable', projectId, ref, userId, params: { channel } })
}

/** Ends the run of a lane until its next work. */
async function end(trx: Trx, job: Job, lane: LaneRow, now: Date): Promise<void> {
  const isCabinet = lane.channel === 'cabinet'
  const next = isCabinet ? await findNextShown(trx, lane.project_id, iso(now)) : await findNextDue(trx, lane.id)
  await job.finish(trx, outcomeOf(next, now))
}

/** Ends the run of the lane of a project's open pages after the publication. */
export const finishCabinet = ({ db, clock }: OutboxServices, job: Job, lane: LaneRow): Promise<void> =>
  transaction(db, (trx) => end(trx, job, lane, clock.now()))

const stateOf = ({ channel, date_last, window_ms, day, day_count }: LaneRow): LaneState => ({
  channel,
  last: date_last === null ? null : Date.parse(date_last),
  windowMs: window_ms,
  day: Number(day ?? -1),
  count: day_count,
})

const storedState = ({ last, windowMs, day, count }: LaneState) => ({
  date_last: last === null ? null : iso(new Date(last)),
  window_ms: windowMs,
  day: String(day),
  day_count: count,
})
