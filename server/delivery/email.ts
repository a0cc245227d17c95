// Sends notifications by e-mail. Each message has a stable Message-ID, so that mail programs recognise a repeated one.
import type { Services } from '#server/core/context.ts'
import { deliverMail, type MailResult } from '#server/domain/account/mail.ts'
import type { Message, Outcome } from '#server/domain/notifications/outbox.ts'
import { textsIn } from '#server/domain/notifications/texts.ts'
import { compose } from './compose.ts'

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
    const settings = textsIn(message.language).settings(`${origin}/p/${message.projectId}/notifications/settings`)
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
