import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type RestreamOffer, restream, RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import type { Period } from '#contract/entities/plan.ts'
import { toApiError } from '#src/api/api-error.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import type { Settings } from './choice.ts'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { forgetPurchaseKey, purchaseKey } from './purchase-key.ts'
import { quoteParts } from './quote-parts.ts'
import { useQuoteWords } from './quote-words.ts'

interface Props {
  readonly projectId: number
  readonly plan: RestreamOffer
  readonly period: Period
  readonly settings: Settings
  readonly quote: RestreamQuote
  readonly onBought: (sentence: string) => void
  readonly onClose: () => void
}

/** Repeats the quote for confirmation. A price change in between shows the new quote for another confirmation. */
export function BuyDialog({ projectId, plan, period, settings, quote: asked, onBought, onClose }: Props) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const why = useFailureText('tariffs')
  const { planWords, sentence } = useQuoteWords()
  const [quote, setQuote] = useState(asked)
  const isChanged = quote !== asked
  const parts = quoteParts(quote, period)
  const money = (amount: number) => formatMoney(amount, quote.currency, language)

  const buy = useWrite(restream.buy, {
    onSuccess: () => {
      forgetPurchaseKey()
      onClose()
      onBought(sentence(quote, plan, period, settings, 'bought'))
    },
    onError: (error) => {
      const changed = changedQuote(error)
      if (changed) setQuote(changed)
    },
  })
  const handleConfirm = () => {
    const request = {
      project_id: projectId,
      plan_restream_id: plan.plan_restream_id,
      period,
      count_channel: settings.channels,
      bitrate: settings.bitrate,
    }
    buy.mutate({ ...request, quote_total: parts.quoteTotal, idempotency_key: purchaseKey(JSON.stringify(request)) })
  }
  const problem = buy.error && !changedQuote(buy.error) ? why(buy.error) : null
  const short = parts.left > 0 ? t('buy.notCovered', { left: money(parts.left), balance: money(quote.balance) }) : null
  return (
    <ConfirmDialog
      title={t(`ask.${quote.choose_status}`, { plan: planWords(plan, settings) })}
      confirm={t(`buy.${quote.choose_status}`, { plan: plan.title, amount: money(Math.max(0, parts.quoteTotal)) })}
      keep={t('ask.keep')}
      isBusy={buy.isPending}
      isOff={short !== null}
      notice={isChanged ? t('ask.changed', { before: money(quoteParts(asked, period).quoteTotal) }) : null}
      problem={problem ?? short}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      <p>{sentence(quote, plan, period, settings)}</p>
    </ConfirmDialog>
  )
}

/** Returns the new quote from a purchase that failed because the price changed. */
function changedQuote(error: unknown): RestreamQuote | null {
  const { name, data } = toApiError(error)
  const quote = name === 'QuoteChanged' ? RestreamQuote.safeParse(data['quote']) : null
  return quote?.success ? quote.data : null
}
