// Failed channels of a broadcast: one notification for each recipient, which names all of them and reports the recovery.
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { updateDeliveriesWaiting } from './deliveries-store.ts'
import { type FailedChannel, type KindParams, kinds } from './kinds.ts'
import { factOf, notify, removeSettling } from './notify.ts'
import { lockFact, updateFact } from './store.ts'
import { queueWebhooks } from './webhook-messages.ts'
import { removeSettlingMessages } from './webhooks-store.ts'

type Params = KindParams['start_channel_failed']

/** A channel of a broadcast that failed or is live. */
export interface ChannelChange {
  readonly projectId: number
  readonly broadcastId: number
  readonly channel: FailedChannel
}

/**
 * Records that a channel of a broadcast failed or is live, in the transaction of that fact. The first failure creates the
 * notification; later ones join it. A channel that recovers before the notification has settled leaves no trace.
 */
export async function notifyChannel(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  { projectId, broadcastId, channel }: ChannelChange,
): Promise<void> {
  const of = { kind: 'start_channel_failed', projectId, ref: broadcastId } as const
  const rows = await lockFact(trx, factOf(of))
  const [first] = rows
  if (!first) {
    if (channel.failed)
      await notify(services, trx, { ...of, params: { broadcast_id: broadcastId, channels: [channel] } })
    return
  }
  const params = JSON.parse(first.params) as Params
  const before = params.channels.find(({ id }) => id === channel.id)
  if ((before?.failed ?? false) === channel.failed) return
  const channels = [...params.channels.filter(({ id }) => id !== channel.id), channel]
  const isOver = channels.every(({ failed }) => !failed)
  const now = services.clock.now()
  if (isOver && (await removeSettling(trx, first.fact, iso(now)))) {
    const joined = Array.from({ length: first.version - 1 }, (_, index) => joinedFact(first.fact, index + 1))
    await removeSettlingMessages(trx, joined, iso(now))
    return
  }
  const kind = isOver ? 'start_channel_success' : 'start_channel_failed'
  const isChange = isOver || channel.failed
  await updateFact(trx, first.fact, {
    kind,
    category: kinds[kind].category,
    params: JSON.stringify({ ...params, channels }),
    isChange,
    isUnread: channel.failed,
  })
  if (!isChange) return
  const inMs = kinds.start_channel_failed.settleMs ?? 0
  const due = iso(later(now, inMs))
  const fact = joinedFact(first.fact, first.version)
  await queueWebhooks(trx, { kind, projectId, fact, params: { ...params, channels }, now, inMs })
  await updateDeliveriesWaiting(
    trx,
    rows.map(({ id }) => id),
    { due, inMs },
  )
}

/** Returns the identity of an event that joins a notification, for webhooks. @param version of the notification before it */
const joinedFact = (fact: string, version: number): string => `${fact}#${version}`
