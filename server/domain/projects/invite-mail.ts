// Texts of invitation e-mails, in the language of the inviting member.
import type { Language } from '#contract/core/wire.ts'
import type { Mail } from '#server/domain/account/mail.ts'

/** Subject of an invitation: a project, or one of its channels. */
export interface Invited {
  readonly project: string
  readonly channel?: string
  readonly url: string
  /** ISO 8601. */
  readonly until: string
}

interface Texts {
  readonly toProject: (project: string) => string
  readonly toChannel: (project: string, channel: string) => string
  /** Ends the first sentence. */
  readonly stop: string
  readonly how: (date: string) => string
  readonly unexpected: string
}

const texts: Readonly<Record<Language, Texts>> = {
  en: {
    toProject: (project) => `Invitation to the project “${project}”`,
    toChannel: (project, channel) => `“${project}” shares the channel “${channel}” with you`,
    stop: '.',
    how: (date) => `Open this link to view the invitation. It works once, until ${date}:`,
    unexpected: 'If you did not expect this invitation, ignore this e-mail.',
  },
  ru: {
    toProject: (project) => `Приглашение в проект «${project}»`,
    toChannel: (project, channel) => `«${project}» делится с вами каналом «${channel}»`,
    stop: '.',
    how: (date) => `Откройте ссылку, чтобы посмотреть приглашение. Она сработает один раз, до ${date}:`,
    unexpected: 'Если вы не ждали этого приглашения, просто проигнорируйте письмо.',
  },
  cn: {
    toProject: (project) => `邀请您加入项目“${project}”`,
    toChannel: (project, channel) => `项目“${project}”与您共享频道“${channel}”`,
    stop: '。',
    how: (date) => `请打开以下链接查看邀请。链接仅可使用一次，有效期至 ${date}：`,
    unexpected: '如果您不清楚为何收到此邀请，请忽略此邮件。',
  },
}

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', ru: 'ru-RU', cn: 'zh-CN' }
const longest = 80

/** Writes the e-mail of an invitation. User-chosen names become one line without links. */
export function inviteMail(language: Language, { project, channel, url, until }: Invited): Mail {
  const { toProject, toChannel, stop, how, unexpected } = texts[language]
  const subject = channel === undefined ? toProject(harmless(project)) : toChannel(harmless(project), harmless(channel))
  const form = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  const date = `${new Intl.DateTimeFormat(locales[language], form).format(new Date(until))} UTC`
  return { subject, text: `${subject}${stop}\n\n${how(date)}\n${url}\n\n${unexpected}\n` }
}

/** Removes links from user-chosen names: the e-mail goes to strangers from the server's address. */
const harmless = (name: string): string =>
  name
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .replaceAll(/[./:@\\]+(?=\S)/g, ' ')
    .slice(0, longest)
    .toWellFormed()
    .trim()
