// Outbox: jobs that send the messages of lanes with the sender of each channel. Each channel is a kind of its own.
import { NotifyChannel } from '#contract/entities/notification.ts'
import type { Backoff } from '#contract/core/backoff.ts'
import type { Services } from '#server/core/context.ts'
import type { JobKind } from '#server/core/jobs.ts'
import { findLane, laneKind, listLanesToSend } from '#server/domain/notifications/deliveries-store.ts'
import { begin, type Begun, finish, finishCabinet, type Outcome } from '#server/domain/notifications/outbox.ts'
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

/** Longer than any call of a sender may take. */
export const leaseMs = 60_000
/** Delay after a run that failed in the service itself; refusals and timeouts of receivers are outcomes of messages. */
export const backoff: Backoff = { firstMs: 15_000, mostMs: 600_000 }
export const parkAfter = 20

/** Senders of the product. */
const createSenders = ({ clock }: Pick<Services, 'clock'>): Senders => ({
  email: sendByEmail,
  telegram: sendByTelegram,
  mobile: createPushSender(createHostBackoff(clock)),
})

interface OutboxOptions {
  readonly by?: Senders
  /** Reports deliveries that failed for good. */
  readonly onFailed?: OnFailed
}

/** Creates the kinds of the jobs that send the messages of lanes, one for each channel. */
export function createLaneJobs(
  services: Pick<Services, 'clock'>,
  { by = createSenders(services), onFailed = () => undefined }: OutboxOptions = {},
): JobKind[] {
  const common = { leaseMs, backoff, parkAfter } as const
  const messages = NotifyChannel.options.flatMap((channel): JobKind[] =>
    channel === 'cabinet'
      ? []
      : [
          {
            ...laneKind(channel),
            ...common,
            atOnce: atOnce[channel],
            missing: async (db) => (await listLanesToSend(db, channel)).map(String),
            async run(all, job) {
              const begun = await begin(all, job)
              if (begun) onFailed(channel, await finish(all, begun, await by[channel](all, begun.message)))
              return 'done'
            },
          },
        ],
  )
  const pages: JobKind = {
    ...laneKind('cabinet'),
    ...common,
    atOnce: atOnce.cabinet,
    async run(all, job) {
      const lane = await findLane(all.db, Number(job.key))
      if (!lane) return 'done'
      publish(all, { type: 'project', id: lane.project_id }, { event: 'notification', payload: {} })
      await finishCabinet(all, job, lane)
      return 'done'
    },
  }
  return [...messages, pages]
}
