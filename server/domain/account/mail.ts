// E-mails of the service. Sent after the change that they report; a failure does not undo the change.
import type { Services } from '#server/core/context.ts'
import type { Language } from '#contract/core/wire.ts'
import { maskedEmail } from './accounts.ts'

// E-mails to the new and the old address of an account, in the language of its owner.

interface Texts {
  readonly confirm: string
  readonly how: string
  readonly unexpected: string
  readonly changing: string
  readonly requested: (to: string) => string
  readonly notMine: string
}

const texts: Readonly<Record<Language, Texts>> = {
  en: {
    confirm: 'Confirm your Relaydeck e-mail',
    how: 'We received a request to use this address to sign in to Relaydeck. Open this link to confirm it. It works once, within one hour:',
    unexpected: 'If you did not request this, ignore this e-mail. Nothing will change.',
    changing: 'Your Relaydeck e-mail is being changed',
    requested: (to) =>
      `We received a request to change the e-mail of your account to ${to}. This address stays in use until the new one is confirmed.`,
    notMine:
      'If you did not request this, change your password now: that cancels the change. Then check your sessions under Account → Sessions.',
  },
  ru: {
    confirm: 'Подтвердите почту для Relaydeck',
    how: 'Мы получили запрос на использование этого адреса для входа в Relaydeck. Чтобы подтвердить его, откройте ссылку. Она сработает один раз, в течение часа:',
    unexpected: 'Если вы этого не запрашивали, просто проигнорируйте письмо. Ничего не изменится.',
    changing: 'Почта вашего аккаунта Relaydeck меняется',
    requested: (to) =>
      `Мы получили запрос на смену почты вашего аккаунта на ${to}. Этот адрес действует, пока новый не подтверждён.`,
    notMine:
      'Если вы этого не запрашивали, сразу смените пароль: это отменит смену почты. Затем проверьте сеансы в разделе «Аккаунт → Сеансы».',
  },
  cn: {
    confirm: '确认您的 Relaydeck 邮箱',
    how: '我们收到了使用此邮箱登录 Relaydeck 的请求。请打开以下链接确认。链接仅可使用一次，一小时内有效：',
    unexpected: '如果不是您本人操作，请忽略此邮件，不会有任何更改。',
    changing: '您的 Relaydeck 账号邮箱正在更改',
    requested: (to) => `我们收到了将您账号的邮箱改为 ${to} 的请求。在新邮箱确认之前，此邮箱仍然有效。`,
    notMine: '如果不是您本人操作，请立即更改密码，这会取消此次邮箱更改。然后在“账号 → 登录会话”中检查已登录的设备。',
  },
}

/** E-mail to the new address, with the confirmation link. */
export const confirmMail = (language: Language, link: string): Mail => {
  const { confirm, how, unexpected } = texts[language]
  return { subject: confirm, text: `${how}\n${link}\n\n${unexpected}\n` }
}

/** E-mail to the old address. @param to the new address, shown masked */
export const changingMail = (language: Language, to: string): Mail => {
  const { changing, requested, notMine } = texts[language]
  return { subject: changing, text: `${requested(maskedEmail(to))}\n\n${notMine}\n` }
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
