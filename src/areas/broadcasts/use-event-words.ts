import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import type { BroadcastEvent } from '#contract/entities/broadcast.ts'

/** Returns a translator for event texts; unknown kinds use the text of the service. */
export function useEventWords() {
  const { t } = useTranslation('broadcasts')
  const whyOf = useWhy()
  return ({ kind, channel, text, reason, words }: z.output<typeof BroadcastEvent>) => {
    const what = t(`event.${kind}`, { defaultValue: text })
    return { what: channel ? t('event.ofChannel', { name: channel.name, what }) : what, why: whyOf(reason, words) }
  }
}

/** Reasons with `words` measured by the relay, not sent by the platform. */
const measured: ReadonlySet<string> = new Set(['bitrate', 'codec'])

/** Returns a translator for failure reasons, with the message of the platform. */
export function useWhy() {
  const { t } = useTranslation('live')
  return (reason: string | null | undefined, words: string | null | undefined): string => {
    const why = reason ? t(`reason.${reason}`, { defaultValue: reason }) : ''
    if (reason && words && measured.has(reason)) return `${why} (${words})`
    if (!words) return why
    // Chinese full stops include their own space.
    const gap = why === '' || why.endsWith('。') ? '' : ' '
    return `${why}${gap}${t('serverMessage', { words })}`
  }
}
