// E-mails of the service. Sent after the change that they tell of, which stands whatever becomes of them.
import type { Services } from '#server/core/context.ts'

/** One e-mail, in plain text. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** What became of an e-mail. */
export type MailOutcome = 'sent' | 'not-configured' | 'failed'

/** How long a mail server may keep its caller waiting, milliseconds. */
const patience = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000, dnsTimeout: 5_000 }

/**
 * Sends an e-mail through SMTP_URL. Never throws: what failed is logged, without the address and the text.
 * @example const mail = await sendMail(ctx, { to: 'bob@example.com', subject: 'Hello', text: '…' })
 */
export async function sendMail(
  { config, log }: Pick<Services, 'config' | 'log'>,
  { to, subject, text }: Mail,
): Promise<MailOutcome> {
  if (config.mail === null) return 'not-configured'
  // A service without a mail server does without five megabytes of memory.
  const { createTransport } = await import('nodemailer')
  // An address that is read as a list or as a name would send it to somebody else: it is handed over as one address.
  const recipient = { name: '', address: to }
  const transport = createTransport({ url: config.mail.server, ...patience, disableFileAccess: true })
  try {
    await transport.sendMail({ from: config.mail.from, to: recipient, subject, text, disableUrlAccess: true })
    return 'sent'
  } catch (error) {
    const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
    log.warn({ mail: { code, responseCode, command } }, 'An e-mail could not be sent')
    return 'failed'
  } finally {
    transport.close()
  }
}
