import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { RestreamOffer } from '#contract/areas/tariffs/restream.ts'
import type { Period } from '#contract/entities/plan.ts'
import { BuyButton } from './buy-button.tsx'
import type { Settings } from './choice.ts'
import { PartFailure } from './part-failure.tsx'
import type { Known } from './queries.ts'
import { QuoteFigures } from './quote-figures.tsx'
import styles from './quote.module.css'
import { useQuoteWords } from './quote-sentence.ts'
import type { QuoteQuery } from './use-quote.ts'

interface Props {
  readonly plan: RestreamOffer | undefined
  readonly period: Period
  readonly settings: Settings
  readonly quote: QuoteQuery
  /** A slider is still moving: the quote is of where it was. */
  readonly isMoving: boolean
  readonly known: Known
  /** What was bought last, in words. */
  readonly bought: string | null
  readonly onBought: (sentence: string) => void
}

/** What the chosen plan costs today, from what it is paid, when it starts, and the button that buys it. */
export function QuotePanel({ plan, period, settings, quote, isMoving, known, bought, onBought }: Props) {
  const { t } = useTranslation('tariffs')
  const { sentence, planWords } = useQuoteWords()
  const titleId = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const isDone = plan === undefined && bought !== null
  // The button that had the focus is gone with what it sold.
  useEffect(() => {
    if (isDone) title.current?.focus()
  }, [isDone])
  const isWaiting = isMoving || quote.isPlaceholderData || quote.data === undefined
  const words = () => {
    if (!plan) return bought ?? t('quote.hint')
    return quote.data ? sentence(quote.data, plan, period, settings) : t('quote.calculating')
  }
  return (
    <section className={styles.panel} aria-labelledby={titleId} data-done={isDone || undefined}>
      <div className={styles.words}>
        <h3 id={titleId} ref={title} tabIndex={-1} className={styles.title}>
          {plan ? planWords(plan, settings) : t(isDone ? 'quote.bought' : 'quote.none')}
        </h3>
        {plan && quote.error ? (
          <PartFailure
            title={t('quote.failed')}
            error={quote.error}
            isRetrying={quote.isFetching}
            onRetry={() => void quote.refetch()}
          />
        ) : (
          <p className={styles.sentence} aria-live="polite" aria-busy={plan && isWaiting}>
            {words()}
          </p>
        )}
      </div>
      {plan && !quote.error && (
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
