// E-mails of the service. Sent after the change that they report; a failure does not undo the change.
import type { Services } from '#server/core/context.ts'
import type { Language } from '#contract/core/wire.ts'
import cn from '#locales/cn/service/mail.json' with { type: 'json' }
import en from '#locales/en/service/mail.json' with { type: 'json' }
import ru from '#locales/ru/service/mail.json' with { type: 'json' }
import { iso, later } from '#server/core/clock.ts'
import { fill } from '#server/core/locale.ts'
import { updateMailDate, updateInstallation } from '#server/domain/installation/store.ts'
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

type MailServices = Pick<Services, 'db' | 'clock' | 'config' | 'log'>

/** Outcome of one attempt. `impossible`: the recipient does not exist. `unknown`: the connection ended after the text was sent. */
export type MailResult = 'sent' | 'not-configured' | 'refused' | 'impossible' | 'unknown'

/**
 * Sends an e-mail through SMTP_URL. Never throws: failures are logged without the address and the text.
 * @param write creates the e-mail. `origin` is PUBLIC_URL: links in e-mails begin with it, never with the host of a request
 * @example await sendMail(ctx, 'bob@example.com', (origin) => ({ subject: 'Hello', text: `${origin}/invite#…` }))
 */
export async function sendMail(
  services: MailServices,
  to: string,
  write: (origin: string) => Mail,
): Promise<MailOutcome> {
  const result = await deliverMail(services, to, write)
  return result === 'sent' || result === 'not-configured' ? result : 'failed'
}

/** As `sendMail`; the result tells whether another attempt may succeed, and whether it could repeat the e-mail. */
export async function deliverMail(
  services: MailServices,
  to: string,
  write: (origin: string) => Mail & { readonly messageId?: string },
): Promise<MailResult> {
  const { config, log } = services
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
    await noteOutcome(services, null)
    return 'sent'
  } catch (error) {
    const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
    log.warn({ mail: { failure: code, responseCode, command } }, 'An e-mail could not be sent')
    // A recipient that does not exist is no fault of the mail server.
    const isImpossible = responseCode !== undefined && command === 'RCPT TO' && responseCode >= 550
    if (!isImpossible) await noteOutcome(services, [code, responseCode].filter(Boolean).join(' '))
    if (responseCode !== undefined) return isImpossible ? 'impossible' : 'refused'
    // Without a response to DATA the server may have accepted the e-mail.
    return command === 'DATA' ? 'unknown' : 'refused'
  } finally {
    transport.close()
  }
}

/** Notes the outcome for Health; successes at most once a minute. Never throws. @param failure code; null: sent */
async function noteOutcome({ db, clock, log }: MailServices, failure: string | null): Promise<void> {
  try {
    const now = clock.now()
    if (failure === null) await updateMailDate(db, iso(now), iso(later(now, -60_000)))
    else await updateInstallation(db, { date_mail_failure: iso(now), mail_failure: failure })
  } catch (error) {
    log.warn({ err: error }, 'The outcome of an e-mail could not be stored')
  }
}
