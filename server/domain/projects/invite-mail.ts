// What e-mails with invitations say, in the language of whoever invites.
import type { Language } from '#contract/core/wire.ts'
import type { Mail } from '#server/domain/account/mail.ts'

/** What somebody is invited to: a project, or one of its channels. */
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
  readonly how: (date: string) => string
  readonly unexpected: string
}

const texts: Readonly<Record<Language, Texts>> = {
  en: {
    toProject: (project) => `You are invited to the project “${project}”`,
    toChannel: (project, channel) => `The project “${project}” shares its channel “${channel}” with you`,
    how: (date) => `Open this link to look at the invitation. It works once, until ${date}:`,
    unexpected: 'If you did not expect this, leave the link alone: nothing happens then.',
  },
  ru: {
    toProject: (project) => `Вас приглашают в проект «${project}»`,
    toChannel: (project, channel) => `Проект «${project}» открывает вам доступ к каналу «${channel}»`,
    how: (date) => `Откройте ссылку, чтобы посмотреть приглашение. Она сработает один раз, до ${date}:`,
    unexpected: 'Если вы не ждали этого письма, не открывайте ссылку: ничего не произойдёт.',
  },
  cn: {
    toProject: (project) => `邀请您加入项目“${project}”`,
    toChannel: (project, channel) => `项目“${project}”与您共享频道“${channel}”`,
    how: (date) => `请打开以下链接查看邀请。链接仅可使用一次，有效期至${date}：`,
    unexpected: '如果您并未预期收到此邮件，请忽略该链接，不会有任何影响。',
  },
}

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', ru: 'ru-RU', cn: 'zh-CN' }
const longest = 80

/** Writes the e-mail of an invitation. Names that people chose are one line, and no link that a mail program would make. */
export function inviteMail(language: Language, { project, channel, url, until }: Invited): Mail {
  const { toProject, toChannel, how, unexpected } = texts[language]
  const subject = channel === undefined ? toProject(harmless(project)) : toChannel(harmless(project), harmless(channel))
  const form = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  const date = `${new Intl.DateTimeFormat(locales[language], form).format(new Date(until))} UTC`
  return { subject, text: `${subject}.\n\n${how(date)}\n${url}\n\n${unexpected}\n` }
}

/** Strangers get this from our address: nobody else may put a link of theirs into it. */
const harmless = (name: string): string =>
  name
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .replaceAll(/[./:@\\]+(?=\S)/g, ' ')
    .slice(0, longest)
    .toWellFormed()
    .trim()
