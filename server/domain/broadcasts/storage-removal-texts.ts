// Texts of the notices before recordings are removed, in the languages of the wire.
import type { Language } from '#contract/core/wire.ts'
import type { Mail } from '#server/domain/account/mail.ts'

interface Facts {
  readonly date: string
  readonly files: number
  /** GB. */
  readonly size: string
}

const texts: Readonly<Record<Language, (facts: Facts) => Mail>> = {
  en: ({ date, files, size }) => ({
    subject: `Recordings will be deleted on ${date}`,
    text: `The recordings of your project exceed its space. The oldest ones are deleted on ${date} (UTC): files ${files}, ${size} GB. Download them, delete others, or get more space before that.`,
  }),
  ru: ({ date, files, size }) => ({
    subject: `Записи будут удалены ${date}`,
    text: `Записи вашего проекта занимают больше места, чем доступно. ${date} (UTC) самые старые из них будут удалены: файлов ${files}, ${size} ГБ. До этого скачайте их, удалите другие или увеличьте место.`,
  }),
  cn: ({ date, files, size }) => ({
    subject: `录像将于${date}删除`,
    text: `项目的录像已超出可用空间。最早的录像将于${date}（UTC）删除：${files} 个文件，${size} GB。请在此之前下载、删除其他录像或增加空间。`,
  }),
}

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', ru: 'ru-RU', cn: 'zh-CN' }

/** Returns the notice about a removal. @param about date, number of files, and bytes */
export function removalText(
  language: Language,
  about: { readonly removing_at: string; readonly files: number; readonly size: number },
): Mail {
  const locale = locales[language]
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  const size = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(about.size / 1_000_000_000)
  return texts[language]({ date: date.format(new Date(about.removing_at)), files: about.files, size })
}
