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

const lanesPerRound = 50
const atOnce = 8

/** Senders of the product. */
const senders: Senders = { email: sendByEmail, telegram: sendByTelegram, mobile: sendByPush }

/** Sends what is due. @returns number of lanes that had work */
export async function runOutbox(services: Services, by: Senders = senders): Promise<number> {
  const lanes = await claim(services, lanesPerRound)
  const rest = [...lanes]
  const worker = async () => {
    for (let lane = rest.shift(); lane; lane = rest.shift()) await serve(services, lane, by)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, rest.length) }, worker))
  return lanes.length
}

async function serve(services: Services, lane: Begun['lane'], by: Senders): Promise<void> {
  try {
    if (lane.channel === 'cabinet') {
      publish(services, { type: 'project', id: lane.project_id }, { event: 'notification', payload: {} })
      return await finishCabinet(services, lane)
    }
    const begun = await begin(services, lane)
    if (!begun) return
    await finish(services, begun, await by[lane.channel](services, begun.message))
  } catch (error) {
    // The claim ends after a minute, and another round continues.
    services.log.error({ err: error, channel: lane.channel }, 'A notification could not be sent')
  }
}
