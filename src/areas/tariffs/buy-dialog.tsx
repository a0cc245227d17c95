import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import type { Input } from '#contract/core/operation.ts'
import { toApiError } from '#src/api/api-error.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { type Order, purchaseOf } from './lines.ts'
import { forgetPurchaseKey, purchaseKey } from './purchase-key.ts'
import { quoteParts } from './quote-parts.ts'
import { useQuoteWords } from './quote-words.ts'

interface Props {
  readonly order: Order
  readonly quote: RestreamQuote
  readonly onBought: (sentence: string) => void
  readonly onClose: () => void
}

/** Repeats the quote for confirmation. A price change in between shows the new quote for another confirmation. */
export function BuyDialog({ order, quote: asked, onBought, onClose }: Props) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const why = useFailureText('tariffs')
  const { sentence } = useQuoteWords()
  const { words, title, period, request } = order
  const purchase = purchaseOf(order.line)
  const [quote, setQuote] = useState(asked)
  const isChanged = quote !== asked
  const parts = quoteParts(quote, period)
  const money = (amount: number) => formatMoney(amount, quote.currency, language)

  const buy = useWrite(purchase.buy, {
    onSuccess: () => {
      forgetPurchaseKey()
      onClose()
      onBought(sentence(quote, order, 'bought'))
    },
    onError: (error) => {
      const changed = changedQuote(error, order)
      if (changed) setQuote(changed)
    },
  })
  const handleConfirm = () => {
    const guards = { quote_total: parts.quoteTotal, idempotency_key: purchaseKey(JSON.stringify(request)) }
    buy.mutate({ ...request, ...guards } as Input<typeof purchase.buy>)
  }
  const problem = buy.error && !changedQuote(buy.error, order) ? why(buy.error) : null
  const short = parts.left > 0 ? t('buy.notCovered', { left: money(parts.left), balance: money(quote.balance) }) : null
  return (
    <ConfirmDialog
      title={t(`ask.${quote.choose_status}`, { plan: words })}
      confirm={t(`buy.${quote.choose_status}`, { plan: title, amount: money(Math.max(0, parts.quoteTotal)) })}
      keep={t('ask.keep')}
      isBusy={buy.isPending}
      isOff={short !== null}
      notice={isChanged ? t('ask.changed', { before: money(quoteParts(asked, period).quoteTotal) }) : null}
      problem={problem ?? short}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      <p>{sentence(quote, order)}</p>
    </ConfirmDialog>
  )
}

/** Returns the new quote from a purchase that failed because the price changed. */
function changedQuote(error: unknown, { line }: Order): RestreamQuote | null {
  const { name, data } = toApiError(error)
  return name === 'QuoteChanged' ? purchaseOf(line).read(data['quote']) : null
}
