import { toApiError } from '#src/api/api-error.ts'
import { PromoField } from './promo-field.tsx'
import { useTranslation } from 'react-i18next'
import { Failure, useFailureText } from '#src/components/failure.tsx'
import { BuyButton } from './buy-button.tsx'
import type { Order } from '#src/areas/tariffs/lines.ts'
import type { Known } from '#src/areas/tariffs/queries.ts'
import styles from './quote.module.css'
import { useQuoteWords } from './quote-words.ts'
import type { QuoteQuery } from './use-choice.ts'
import type { RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import type { Period } from '#contract/entities/plan.ts'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { formatDate } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { type QuoteParts, quoteParts } from './quote-parts.ts'

interface Props {
  readonly order: Order
  readonly quote: QuoteQuery
  /** Set while a slider moves: the quote belongs to its previous position. */
  readonly isMoving: boolean
  readonly known: Pick<Known, 'projectId' | 'canBuy' | 'debt'>
  /** Receives the promo code of the purchase; null without one. */
  readonly onCode: (code: string | null) => void
  readonly onBought: (sentence: string) => void
}

/** Quote of the selected plan: price, payment sources, start, and the buy button. */
export function QuotePanel({ order, quote, isMoving, known, onCode, onBought }: Props) {
  const { t } = useTranslation('tariffs')
  const { sentence } = useQuoteWords()
  const { words, period } = order
  const { promo_code } = order.request
  const why = useFailureText('tariffs')
  // A code that is refused is said at its field. The price needs another code, or none.
  const isCodeWrong = quote.error !== null && isCodeRefusal(quote.error)
  const isWaiting = isMoving || quote.isPlaceholderData || quote.data === undefined
  return (
    <section className={styles.panel} aria-label={t('quote.title', { plan: words })}>
      <h3 className={styles.title}>{words}</h3>
      {quote.error && !isCodeWrong ? (
        <div className={styles.wide}>
          <Failure
            title={t('quote.failed')}
            error={quote.error}
            why={why(quote.error)}
            isRetrying={quote.isFetching}
            onRetry={() => void quote.refetch()}
          />
        </div>
      ) : (
        <p className={styles.sentence} aria-busy={isWaiting}>
          {isCodeWrong ? null : quote.data ? sentence(quote.data, order) : t('quote.calculating')}
        </p>
      )}
      {known.canBuy !== false && (
        <PromoField
          code={typeof promo_code === 'string' ? promo_code : null}
          error={isCodeWrong ? why(quote.error) : null}
          quote={isWaiting || isCodeWrong ? undefined : quote.data}
          onCode={onCode}
        />
      )}
      {!quote.error && (
        <>
          <QuoteFigures quote={quote.data} period={period} isWaiting={isWaiting} />
          <BuyButton order={order} quote={quote.data} isWaiting={isWaiting} known={known} onBought={onBought} />
        </>
      )}
    </section>
  )
}

/** Returns whether a quote was refused because of its promo code. */
const isCodeRefusal = (error: Error): boolean => toApiError(error).name.startsWith('Promo')

interface QuoteFiguresProps {
  readonly quote: RestreamQuote | undefined
  readonly period: Period
  readonly isWaiting: boolean
}

/** Amounts of a quote in one row, which keeps its size while the quote loads. */
function QuoteFigures({ quote, period, isWaiting }: QuoteFiguresProps) {
  const { t } = useTranslation('tariffs')
  const parts = quote && quoteParts(quote, period)
  const amounts = [
    ['price', parts?.price],
    ['refund', parts?.refund],
    ['fromBalance', parts?.fromBalance],
    ['left', parts?.left],
  ] as const
  return (
    <dl aria-live="off" className={styles.figures} data-waiting={isWaiting || undefined}>
      {amounts.map(([name, amount]) => (
        <div key={name} data-figure={name} data-nothing={amount === 0 || undefined}>
          <dt>{t(`quote.${name}`)}</dt>
          <dd>
            {amount === undefined || !quote ? '…' : <MoneyAmount amountMinor={amount} currency={quote.currency} />}
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('quote.starts')}</dt>
        <dd>{parts ? <Starts {...parts} /> : '…'}</dd>
      </div>
    </dl>
  )
}

function Starts({ starts, date }: QuoteParts) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  return starts === 'later' && date ? formatDate(date, language) : t(`starts.${starts}`)
}
