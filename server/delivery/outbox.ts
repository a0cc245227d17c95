// Outbox: jobs that send the messages of lanes with the sender of each channel. Each channel is a kind of its own.
import { NotifyChannel } from '#contract/entities/notification.ts'
import type { Backoff } from '#contract/core/backoff.ts'
import type { Services } from '#server/core/context.ts'
import type { JobKind } from '#server/core/jobs.ts'
import { findLane, laneKind, listLanesToSend } from '#server/domain/notifications/deliveries-store.ts'
import {
  begin,
  type Begun,
  finish,
  finishCabinet,
  type Message,
  type Outcome,
} from '#server/domain/notifications/outbox.ts'
import { publish } from '#server/domain/realtime/realtime.ts'
import { createHostBackoff } from './host-backoff.ts'
import { createPushSender } from './push.ts'
import { deliverMail, type MailResult } from '#server/domain/account/mail.ts'
import { fill } from '#server/core/locale.ts'
import { textsIn } from '#server/domain/notifications/texts.ts'
import { compose } from './compose.ts'
import { BotRefusedError, callBot } from '#server/core/telegram-bot.ts'
import { removeTelegramLink } from '#server/domain/notifications/addresses-store.ts'

// Sends notifications to the linked private chats of the bot.

/** The Bot API accepts 4,096 characters. */
const textMax = 3_500

/** Sends a message to a chat. A chat that blocked the bot is unlinked. */
export async function sendByTelegram(services: Services, message: Message): Promise<Outcome> {
  const { chatId } = message
  // Without a chat the user has ended the link since: no failure to report.
  if (services.config.telegramBotToken === null || chatId === null) return { is: 'off' }
  const { title, text, url } = compose(message, services.config.publicUrl)
  // Telegram refuses half of a pair of surrogates.
  const shown = `${title}\n${text}`.slice(0, textMax).replace(/[\uD800-\uDBFF]$/, '')
  const body = [shown, url].filter(Boolean).join('\n\n')
  try {
    await callBot(services, (api) => api.sendMessage(chatId, body, { link_preview_options: { is_disabled: true } }))
    return { is: 'sent' }
  } catch (error) {
    if (!(error instanceof BotRefusedError)) return { is: 'unknown' }
    if (error.code === 403) await removeTelegramLink(services.db, { chat_id: chatId })
    if (error.code === 403 || error.code === 400) return { is: 'gone' }
    return { is: 'refused', retryAfterMs: (error.retryAfter ?? 0) * 1_000 }
  }
}

// Sends notifications by e-mail. Each message has a stable Message-ID, so that mail programs recognise a repeated one.

const outcomes = {
  sent: { is: 'sent' },
  refused: { is: 'refused' },
  impossible: { is: 'gone' },
  unknown: { is: 'unknown' },
  'not-configured': { is: 'off' },
} as const satisfies Readonly<Record<MailResult, Outcome>>

/** Sends a message by e-mail. */
export async function sendByEmail(services: Services, message: Message): Promise<Outcome> {
  if (services.config.mail === null) return { is: 'off' }
  if (message.email === null) return { is: 'gone' }
  const result = await deliverMail(services, message.email, (origin) => {
    const { title, text } = compose(message, origin)
    const details = message.items.length === 1 ? text : detailsOf(message, origin)
    const [only] = message.items
    const link = message.items.length === 1 && only?.link ? `\n\n${origin}${only.link}` : ''
    const settings = fill(textsIn(message.language).settings, {
      url: `${origin}/p/${message.projectId}/notifications/settings`,
    })
    return {
      subject: title,
      text: `${details}${link}\n\n-- \n${settings}\n`,
      messageId: `<${message.id}@${new URL(origin).hostname}>`,
    }
  })
  return outcomes[result]
}

const detailsOf = ({ items }: Message, origin: string): string =>
  items
    .map(({ title, text, link }) => [title, text, link === null ? '' : `${origin}${link}`].filter(Boolean).join('\n'))
    .join('\n\n')

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
