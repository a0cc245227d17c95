import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import { usePaySystems, usePaymentOptions } from '#src/components/use-pay.ts'
import { formatMoney } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { type Order, purchaseOf } from '#src/areas/tariffs/lines.ts'
import { PayDialog } from './pay-dialog.tsx'
import type { Known } from '#src/areas/tariffs/queries.ts'
import styles from './quote.module.css'
import { quoteParts } from './quote-parts.ts'
import { WhomToAsk } from './whom-to-ask.tsx'
import type { Input } from '#contract/core/operation.ts'
import { toApiError } from '#src/api/api-error.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { forgetPurchaseKey, purchaseKey } from './purchase-key.ts'
import { useQuoteWords } from './quote-words.ts'

interface Props {
  readonly order: Order
  readonly quote: RestreamQuote | undefined
  readonly isWaiting: boolean
  readonly known: Pick<Known, 'projectId' | 'canBuy' | 'debt'>
  readonly onBought: (sentence: string) => void
}

/**
 * Buy button with action and price. With a balance that is too low it begins a payment, where the server accepts payments.
 * When disabled it stays visible and shows the reason.
 */
export function BuyButton({ order, quote, isWaiting, known, onBought }: Props) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const reasonId = useId()
  // The quote at the moment of the click; a changed price requires a new confirmation.
  const [asked, setAsked] = useState<RestreamQuote | null>(null)
  const parts = quote && quoteParts(quote, order.period)
  const systems = usePaySystems(quote?.currency ?? null).data ?? []
  const isShort = parts !== undefined && parts.left > 0
  const ways = usePaymentOptions(known.projectId, isShort && known.canBuy !== false ? systems : [])
  const [first] = ways ?? systems.map((system) => ({ system }))
  const toPay = isShort && first !== undefined ? Math.max(parts.left, first.system.min_amount) : null
  const money = (amount: number) => formatMoney(amount, quote?.currency ?? null, language)
  const reason = reasonAgainst()
  const isOff = reason !== null || isWaiting || ways === undefined
  return (
    <div className={styles.buy} aria-live="off">
      <button
        type="button"
        className={styles.buyButton}
        aria-disabled={isOff}
        aria-describedby={reasonId}
        onClick={() => isOff || setAsked(quote ?? null)}
      >
        {quote && parts && ways ? label(quote, parts.quoteTotal) : t('quote.calculating')}
      </button>
      <p id={reasonId} className={styles.reason}>
        {reason}
      </p>
      {asked && dialogOf(asked)}
    </div>
  )

  function label(of: RestreamQuote, quoteTotal: number): string {
    if (toPay !== null) return t('buy.pay', { amount: money(toPay) })
    return t(`buy.${of.choose_status}`, { plan: order.title, amount: money(Math.max(0, quoteTotal)) })
  }

  function dialogOf(of: RestreamQuote): ReactNode {
    const shared = { order, quote: of, onClose: () => setAsked(null) }
    if (quoteParts(of, order.period).left <= 0 || first === undefined)
      return <BuyDialog {...shared} onBought={onBought} />
    return <PayDialog {...shared} projectId={known.projectId} ways={ways ?? []} />
  }

  function reasonAgainst(): ReactNode {
    if (known.canBuy === false) return <WhomToAsk projectId={known.projectId} />
    if (known.debt > 0)
      return <Link to={paths.billing(known.projectId)}>{t('buy.debt', { debt: money(known.debt) })}</Link>
    if (!isShort || !quote || toPay !== null) return null
    return t('buy.notCovered', { left: money(parts.left), balance: money(quote.balance) })
  }
}

interface BuyDialogProps {
  readonly order: Order
  readonly quote: RestreamQuote
  readonly onBought: (sentence: string) => void
  readonly onClose: () => void
}

/** Repeats the quote for confirmation. A price change in between shows the new quote for another confirmation. */
function BuyDialog({ order, quote: asked, onBought, onClose }: BuyDialogProps) {
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
