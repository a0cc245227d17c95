// Outbox: claims lanes and sends their messages with the sender of each channel, in one pool for each channel.
import { NotifyChannel } from '#contract/entities/notification.ts'
import type { Services } from '#server/core/context.ts'
import { begin, type Begun, claim, finish, finishCabinet, type Outcome } from '#server/domain/notifications/outbox.ts'
import { publish } from '#server/domain/realtime/realtime.ts'
import { sendByEmail } from './email.ts'
import { createHostBackoff } from './host-backoff.ts'
import { createPushSender } from './push.ts'
import { sendByTelegram } from './telegram.ts'

/** Sends a message. It never throws; what it cannot tell is `unknown`. */
export type Sender = (services: Services, message: Begun['message']) => Promise<Outcome>

/** Senders by channel. */
export type Senders = Readonly<Record<Exclude<NotifyChannel, 'cabinet'>, Sender>>

/** Reports the number of deliveries of a channel that failed for good. */
export type OnFailed = (channel: NotifyChannel | 'webhook', count: number) => void

/**
 * Messages of each channel at a time in one replica: receivers of one channel that hang take no place of another channel. A
 * call ends after 15 s, and a host of push receivers that hangs is paused (`host-backoff.ts`).
 */
const atOnce: Readonly<Record<NotifyChannel, number>> = { cabinet: 32, email: 32, telegram: 32, mobile: 200 }

/** Senders of the product. */
const createSenders = ({ clock }: Pick<Services, 'clock'>): Senders => ({
  email: sendByEmail,
  telegram: sendByTelegram,
  mobile: createPushSender(createHostBackoff(clock)),
})

/** Pools of the channels in this replica. */
interface Outbox {
  /** Claims lanes that are due, as far as the pools have places, and begins them. @returns their number */
  fill(): Promise<number>
  /** Claims nothing more, and waits for the messages that are being sent. */
  stop(): Promise<void>
}

interface OutboxOptions {
  readonly by?: Senders
  /** Reports deliveries that failed for good. */
  readonly onFailed?: OnFailed
}

/** Creates the outbox. Any number of replicas may run one. */
export function createOutbox(
  services: Services,
  { by = createSenders(services), onFailed = () => undefined }: OutboxOptions = {},
): Outbox {
  const pools = NotifyChannel.options.map((channel) => createPool(services, channel, { by, onFailed }))
  return {
    async fill() {
      const counts = await Promise.all(pools.map((pool) => pool.fill()))
      return counts.reduce((sum, count) => sum + count, 0)
    },
    stop: async () => void (await Promise.all(pools.map((pool) => pool.stop()))),
  }
}

function createPool(services: Services, channel: NotifyChannel, options: Required<OutboxOptions>): Outbox {
  const running = new Set<Promise<void>>()
  let filling: Promise<number> | null = null
  let isStopped = false
  /** The last claim took as many lanes as had a place: more may be due. */
  let hasMore = false

  async function claimDue(): Promise<number> {
    let count = 0
    for (let room = atOnce[channel] - running.size; room > 0 && !isStopped; room = atOnce[channel] - running.size) {
      const lanes = await claim(services, channel, room)
      for (const lane of lanes) start(lane)
      count += lanes.length
      hasMore = lanes.length === room
      if (!hasMore) break
    }
    return count
  }

  function start(lane: Begun['lane']): void {
    const sent = serve(services, lane, options).then(() => {
      running.delete(sent)
      if (hasMore) fill().catch((error: unknown) => services.log.error({ err: error }, 'Lanes could not be claimed'))
    })
    running.add(sent)
  }

  const fill = (): Promise<number> => (filling ??= claimDue().finally(() => (filling = null)))

  return {
    fill,
    async stop() {
      isStopped = true
      await filling?.catch(() => 0)
      await Promise.all(running)
    },
  }
}

/** Sends what is due, once. @returns number of lanes that had work */
export async function runOutbox(services: Services, options?: OutboxOptions): Promise<number> {
  const outbox = createOutbox(services, options)
  const count = await outbox.fill()
  await outbox.stop()
  return count
}

async function serve(
  services: Services,
  lane: Begun['lane'],
  { by, onFailed }: Required<OutboxOptions>,
): Promise<void> {
  try {
    if (lane.channel === 'cabinet') {
      publish(services, { type: 'project', id: lane.project_id }, { event: 'notification', payload: {} })
      return await finishCabinet(services, lane)
    }
    const begun = await begin(services, lane)
    if (!begun) return
    onFailed(lane.channel, await finish(services, begun, await by[lane.channel](services, begun.message)))
  } catch (error) {
    // The claim ends after a minute, and another round continues.
    services.log.error({ err: error, channel: lane.channel }, 'A notification could not be sent')
  }
}
