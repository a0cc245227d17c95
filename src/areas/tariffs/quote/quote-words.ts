import { useTranslation } from 'react-i18next'
import type { RestreamOffer, RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import { formatBitrate, formatDateTime, formatMoney, formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import type { Settings } from '#src/components/plan-cards/choice.ts'
import type { Order } from '#src/areas/tariffs/lines.ts'
import { quoteClauses, quoteParts } from './quote-parts.ts'

/** Returns the texts of a plan with settings, of a quote, and of a completed purchase. */
export function useQuoteWords() {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()

  const planWords = (plan: RestreamOffer, { channels, bitrate }: Settings): string => {
    const chosen = [
      ...(channels === undefined
        ? []
        : [t('flex.channelsOf', { count: channels, channels: formatNumber(channels, language) })]),
      ...(bitrate === undefined ? [] : [formatBitrate(bitrate, language)]),
    ]
    return chosen.length === 0
      ? plan.title
      : t('plan.withSettings', { plan: plan.title, settings: chosen.join(t('common:comma')) })
  }

  const sentence = (
    quote: RestreamQuote,
    { words, period }: Order,
    stage: 'sentence' | 'bought' = 'sentence',
  ): string =>
    quoteClauses(quoteParts(quote, period), period)
      .filter(({ key }) => stage === 'sentence' || (key !== 'left' && key !== 'nothingLeft'))
      .map(({ key, amount, date }) =>
        t(`${stage}.${key}`, {
          plan: words,
          amount: amount === undefined ? '' : formatMoney(amount, quote.currency, language),
          date: date === undefined ? '' : formatDateTime(date, language),
        }),
      )
      .join(language === 'cn' ? '' : ' ')

  return { planWords, sentence }
}
