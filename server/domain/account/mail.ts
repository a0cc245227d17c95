// E-mails of the service. Sent after the change that they report; a failure does not undo the change.
import type { Services } from '#server/core/context.ts'
import type { Language } from '#contract/core/wire.ts'
import cn from '#locales/cn/service/mail.json' with { type: 'json' }
import en from '#locales/en/service/mail.json' with { type: 'json' }
import ru from '#locales/ru/service/mail.json' with { type: 'json' }
import { fill } from '#server/core/locale.ts'
import { maskedEmail } from './accounts.ts'

// E-mails to the new and the old address of an account, in the language of its owner.

const texts: Readonly<Record<Language, typeof en>> = { en, ru, cn }

/** E-mail to the new address, with the confirmation link. */
export const confirmMail = (language: Language, link: string): Mail => withLink(texts[language].confirm, link)

/** E-mail with a link that sets a new password. */
export const recoveryMail = (language: Language, link: string): Mail => withLink(texts[language].recovery, link)

const withLink = ({ subject, text, unexpected }: typeof en.recovery, link: string): Mail => ({
  subject,
  text: `${text}\n${link}\n\n${unexpected}\n`,
})

/** E-mail to the old address. @param to the new address, shown masked */
export const changingMail = (language: Language, to: string): Mail => {
  const { subject, text, unexpected } = texts[language].changing
  return { subject, text: `${fill(text, { email: maskedEmail(to) })}\n\n${unexpected}\n` }
}

/** An e-mail without its recipient, in plain text. */
export interface Mail {
  readonly subject: string
  readonly text: string
}

/** Outcome of an e-mail. */
export type MailOutcome = 'sent' | 'not-configured' | 'failed'

/** Timeouts of the mail server, milliseconds. */
const patience = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000, dnsTimeout: 5_000 }

/** Outcome of one attempt. `impossible`: the recipient does not exist. `unknown`: the connection ended after the text was sent. */
export type MailResult = 'sent' | 'not-configured' | 'refused' | 'impossible' | 'unknown'

/**
 * Sends an e-mail through SMTP_URL. Never throws: failures are logged without the address and the text.
 * @param write creates the e-mail. `origin` is PUBLIC_URL: links in e-mails begin with it, never with the host of a request
 * @example await sendMail(ctx, 'bob@example.com', (origin) => ({ subject: 'Hello', text: `${origin}/invite#…` }))
 */
export async function sendMail(
  services: Pick<Services, 'config' | 'log'>,
  to: string,
  write: (origin: string) => Mail,
): Promise<MailOutcome> {
  const result = await deliverMail(services, to, write)
  return result === 'sent' || result === 'not-configured' ? result : 'failed'
}

/** As `sendMail`; the result tells whether another attempt may succeed, and whether it could repeat the e-mail. */
export async function deliverMail(
  { config, log }: Pick<Services, 'config' | 'log'>,
  to: string,
  write: (origin: string) => Mail & { readonly messageId?: string },
): Promise<MailResult> {
  if (config.mail === null) return 'not-configured'
  const { subject, text, messageId } = write(config.mail.origin)
  // Loaded on demand: nodemailer takes five megabytes of memory.
  const { createTransport } = await import('nodemailer')
  // An object, not a string: nodemailer would parse a string as a list or as a display name with another address.
  const recipient = { name: '', address: to }
  const transport = createTransport({ url: config.mail.server, ...patience, disableFileAccess: true })
  try {
    const mail = { from: config.mail.from, to: recipient, subject, text, disableUrlAccess: true }
    await transport.sendMail({ ...mail, ...(messageId !== undefined && { messageId }) })
    return 'sent'
  } catch (error) {
    const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
    log.warn({ mail: { failure: code, responseCode, command } }, 'An e-mail could not be sent')
    if (responseCode !== undefined) return command === 'RCPT TO' && responseCode >= 550 ? 'impossible' : 'refused'
    // Without a response to DATA the server may have accepted the e-mail.
    return command === 'DATA' ? 'unknown' : 'refused'
  } finally {
    transport.close()
  }
}
