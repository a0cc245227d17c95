// Rest of a platform's calls a day, as a text.
import { useTranslation } from 'react-i18next'
import type { ChatCapability } from '#contract/entities/chat-message.ts'
import { formatPercent } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'

type Part = NonNullable<ChatCapability['quota']>['read']

/** Returns a function that gives the sentence of a chat; null where the platform has no such limit. */
export function useQuotaText(): (row: ChatCapability) => string | null {
  const { t } = useTranslation('chat')
  const language = useLanguage()
  const percent = ({ left, of }: Part) => formatPercent(of === 0 ? 0 : Math.floor((left * 100) / of), language)
  return ({ quota }) => (quota ? t('states.quota', { read: percent(quota.read), write: percent(quota.write) }) : null)
}
