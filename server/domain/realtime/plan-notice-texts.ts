// Texts of notices about plans that end, in the languages of the wire.
import type { Language } from '#contract/core/wire.ts'
import type { LineName } from '#contract/entities/plan.ts'
import type { Mail } from '#server/domain/account/mail.ts'

/** `week`, `day`: before the end. */
export type NoticeKind = 'week' | 'day' | 'end'

interface Texts {
  readonly ends: (title: string, date: string) => string
  readonly ended: (title: string) => string
  /** Effects of the end. */
  readonly stops: Readonly<Record<LineName, string>>
}

const texts: Readonly<Record<Language, Texts>> = {
  en: {
    ends: (title, date) => `${title} ends on ${date}`,
    ended: (title) => `${title} has ended`,
    stops: {
      restream: 'The project returns to the Free plan. Channels that it does not allow are switched off.',
      transcoding: 'Transcoders that the Free plan does not allow are switched off. Their channels receive nothing.',
      storage: 'Recording stops when the space of your restream plan is used.',
    },
  },
  ru: {
    ends: (title, date) => `Тариф ${title} закончится ${date}`,
    ended: (title) => `Тариф ${title} закончился`,
    stops: {
      restream: 'Проект вернётся на тариф Free. Каналы, которые он не включает, будут выключены.',
      transcoding:
        'Транскодеры, которые не входят в тариф Free, будут выключены. Их каналы не будут получать трансляцию.',
      storage: 'Запись остановится, когда место вашего тарифа рестрима закончится.',
    },
  },
  cn: {
    ends: (title, date) => `${title} 套餐将于${date}到期`,
    ended: (title) => `${title} 套餐已到期`,
    stops: {
      restream: '项目将恢复为 Free 套餐，超出限制的频道会被关闭。',
      transcoding: '超出 Free 套餐的转码器会被停用，其频道将收不到任何内容。',
      storage: '转播套餐自带的空间用完后将停止录制。',
    },
  },
}

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', ru: 'ru-RU', cn: 'zh-CN' }

/** Returns the notice about the end of a plan; dates in UTC. */
export function noticeText(
  language: Language,
  about: { readonly kind: NoticeKind; readonly line: LineName; readonly title: string; readonly end: string },
): Mail {
  const { ends, ended, stops } = texts[language]
  const date = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' })
  const subject = about.kind === 'end' ? ended(about.title) : ends(about.title, date.format(new Date(about.end)))
  return { subject, text: stops[about.line] }
}
