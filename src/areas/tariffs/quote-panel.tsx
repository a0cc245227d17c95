import { useTranslation } from 'react-i18next'
import { Failure, useFailureText } from '#src/components/failure.tsx'
import { BuyButton } from './buy-button.tsx'
import type { Order } from './lines.ts'
import type { Known } from './queries.ts'
import { QuoteFigures } from './quote-figures.tsx'
import styles from './quote.module.css'
import { useQuoteWords } from './quote-words.ts'
import type { QuoteQuery } from './use-quote.ts'

interface Props {
  readonly order: Order
  readonly quote: QuoteQuery
  /** Set while a slider moves: the quote belongs to its previous position. */
  readonly isMoving: boolean
  readonly known: Pick<Known, 'projectId' | 'canBuy' | 'debt'>
  readonly onBought: (sentence: string) => void
}

/** Quote of the selected plan: price, payment sources, start, and the buy button. */
export function QuotePanel({ order, quote, isMoving, known, onBought }: Props) {
  const { t } = useTranslation('tariffs')
  const { sentence } = useQuoteWords()
  const { words, period } = order
  const why = useFailureText('tariffs')
  const isWaiting = isMoving || quote.isPlaceholderData || quote.data === undefined
  return (
    <section className={styles.panel} aria-label={t('quote.title', { plan: words })}>
      <h3 className={styles.title}>{words}</h3>
      {quote.error ? (
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
          {quote.data ? sentence(quote.data, order) : t('quote.calculating')}
        </p>
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
