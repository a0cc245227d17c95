import { useTranslation } from 'react-i18next'
import type { RestreamOffer } from '#contract/areas/tariffs/restream.ts'
import type { Period } from '#contract/entities/plan.ts'
import { Failure, useFailureText } from '#src/components/failure.tsx'
import { BuyButton } from './buy-button.tsx'
import type { Settings } from './choice.ts'
import type { Known } from './queries.ts'
import { QuoteFigures } from './quote-figures.tsx'
import styles from './quote.module.css'
import { useQuoteWords } from './quote-words.ts'
import type { QuoteQuery } from './use-quote.ts'

interface Props {
  readonly plan: RestreamOffer
  readonly period: Period
  readonly settings: Settings
  readonly quote: QuoteQuery
  /** Set while a slider moves: the quote belongs to its previous position. */
  readonly isMoving: boolean
  readonly known: Known
  readonly onBought: (sentence: string) => void
}

/** Quote of the selected plan: price, payment sources, start, and the buy button. */
export function QuotePanel({ plan, period, settings, quote, isMoving, known, onBought }: Props) {
  const { t } = useTranslation('tariffs')
  const { sentence, planWords } = useQuoteWords()
  const why = useFailureText('tariffs')
  const isWaiting = isMoving || quote.isPlaceholderData || quote.data === undefined
  return (
    <section className={styles.panel} aria-label={t('quote.title', { plan: planWords(plan, settings) })}>
      <h3 className={styles.title}>{planWords(plan, settings)}</h3>
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
          {quote.data ? sentence(quote.data, plan, period, settings) : t('quote.calculating')}
        </p>
      )}
      {!quote.error && (
        <>
          <QuoteFigures quote={quote.data} period={period} isWaiting={isWaiting} />
          <BuyButton
            plan={plan}
            period={period}
            settings={settings}
            quote={quote.data}
            isWaiting={isWaiting}
            known={known}
            onBought={onBought}
          />
        </>
      )}
    </section>
  )
}
