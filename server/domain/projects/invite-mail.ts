// Texts of invitation e-mails, in the language of the inviting member.
import type { Language } from '#contract/core/wire.ts'
import cn from '#locales/cn/service/mail.json' with { type: 'json' }
import en from '#locales/en/service/mail.json' with { type: 'json' }
import ru from '#locales/ru/service/mail.json' with { type: 'json' }
import { fill, minute } from '#server/core/locale.ts'
import type { Mail } from '#server/domain/account/mail.ts'

/** Subject of an invitation: a project, or one of its channels. */
export interface Invited {
  readonly project: string
  readonly channel?: string
  readonly url: string
  /** ISO 8601. */
  readonly until: string
}

const texts: Readonly<Record<Language, typeof en>> = { en, ru, cn }
const longest = 80

/** Writes the e-mail of an invitation. User-chosen names become one line without links. */
export function inviteMail(language: Language, { project, channel, url, until }: Invited): Mail {
  const { toProject, toChannel, stop, text, unexpected } = texts[language].invitation
  const names = { project: harmless(project), channel: harmless(channel ?? '') }
  const subject = fill(channel === undefined ? toProject : toChannel, names)
  const how = fill(text, { date: minute(language, until) })
  return { subject, text: `${subject}${stop}\n\n${how}\n${url}\n\n${unexpected}\n` }
}

/** Removes links from user-chosen names: the e-mail goes to strangers from the server's address. */
const harmless = (name: string): string =>
  name
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .replaceAll(/[./:@\\]+(?=\S)/g, ' ')
    .slice(0, longest)
    .toWellFormed()
    .trim()
