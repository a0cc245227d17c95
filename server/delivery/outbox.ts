// Loop of the outbox: claims lanes and sends their messages with the sender of each channel. Any number of replicas may run it.
import type { NotifyChannel } from '#contract/entities/notification.ts'
import type { Services } from '#server/core/context.ts'
import { begin, type Begun, claim, finish, finishCabinet, type Outcome } from '#server/domain/notifications/outbox.ts'
import { publish } from '#server/domain/realtime/realtime.ts'
import { sendByEmail } from './email.ts'
import { sendByPush } from './push.ts'
import { sendByTelegram } from './telegram.ts'

/** Sends a message. It never throws; what it cannot tell is `unknown`. */
export type Sender = (services: Services, message: Begun['message']) => Promise<Outcome>

/** Senders by channel. */
export type Senders = Readonly<Record<Exclude<NotifyChannel, 'cabinet'>, Sender>>

/** Reports the number of deliveries of a channel that failed for good. */
export type OnFailed = (channel: NotifyChannel | 'webhook', count: number) => void

const lanesPerRound = 50
const atOnce = 8

/** Senders of the product. */
const senders: Senders = { email: sendByEmail, telegram: sendByTelegram, mobile: sendByPush }

/**
 * Sends what is due.
 * @param onFailed reports deliveries that failed for good
 * @returns number of lanes that had work
 */
export async function runOutbox(
  services: Services,
  by: Senders = senders,
  onFailed: OnFailed = () => undefined,
): Promise<number> {
  const lanes = await claim(services, lanesPerRound)
  const rest = [...lanes]
  const worker = async () => {
    for (let lane = rest.shift(); lane; lane = rest.shift()) await serve(services, lane, { by, onFailed })
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, rest.length) }, worker))
  return lanes.length
}

async function serve(
  services: Services,
  lane: Begun['lane'],
  { by, onFailed }: { readonly by: Senders; readonly onFailed: OnFailed },
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
