import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import type { BroadcastEvent } from '#contract/entities/broadcast.ts'
import { type Connection, reasonText } from '#src/lib/air-texts.ts'

/** Returns a translator for event texts; unknown kinds use the text of the service. */
export function useEventWords() {
  const { t } = useTranslation(['broadcasts', 'faults'])
  const whyOf = useWhy()
  const whyLost = useWhy('encoder')
  return ({ kind, channel, text, reason, words }: z.output<typeof BroadcastEvent>) => {
    // The words of a fault are figures, for programs.
    if (kind === 'fault') return { what: t(`faults:${reason}.title`), why: t(`faults:${reason}.todo`) }
    if (kind === 'fault-over') return { what: t('faults:fixed', { title: t(`faults:${reason}.title`) }), why: '' }
    const what = t(`event.${kind}`, { defaultValue: text })
    // Its words are an address, which the list shows as a link.
    const why = kind === 'platform-healed' ? '' : (kind === 'source-lost' ? whyLost : whyOf)(reason, words)
    return { what: channel ? t('event.ofChannel', { name: channel.name, what }) : what, why }
  }
}

/**
 * Returns a translator for failure reasons, with the message of the platform.
 * @param of the connection that failed: to the server of a channel, or from the encoder
 */
export function useWhy(of: Connection = 'channel') {
  const { t } = useTranslation('live')
  return (reason: string | null | undefined, words: string | null | undefined): string =>
    reasonText((key, values) => t(key, values), { of, reason, words })
}
