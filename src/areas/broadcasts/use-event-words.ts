import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import type { BroadcastEvent } from '#contract/entities/broadcast.ts'

/** Events in the reader's words; what is not known yet is said as the service says it. */
export function useEventWords() {
  const { t } = useTranslation('broadcasts')
  const whyOf = useWhy()
  return ({ kind, channel, text, reason, words }: z.output<typeof BroadcastEvent>) => {
    const what = t(`event.${kind}`, { defaultValue: text })
    return { what: channel ? t('event.ofChannel', { name: channel.name, what }) : what, why: whyOf(reason, words) }
  }
}

/** Where `words` are figures of ours, and not what a platform said. */
const measured: ReadonlySet<string> = new Set(['bitrate', 'codec'])

/** Why something is not well: the reason as a sentence, and what the platform said. */
export function useWhy() {
  const { t } = useTranslation('live')
  return (reason: string | null | undefined, words: string | null | undefined): string => {
    const why = reason ? t(`reason.${reason}`, { defaultValue: reason }) : ''
    if (reason && words && measured.has(reason)) return `${why} (${words})`
    if (!words) return why
    // Chinese full stops carry their own space.
    const gap = why === '' || why.endsWith('。') ? '' : ' '
    return `${why}${gap}${t('serverMessage', { words })}`
  }
}
