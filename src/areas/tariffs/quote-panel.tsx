import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { RestreamOffer } from '#contract/areas/tariffs/restream.ts'
import type { Period } from '#contract/entities/plan.ts'
import { Failure } from '#src/components/failure.tsx'
import { BuyButton } from './buy-button.tsx'
import type { Settings } from './choice.ts'
import { useRefusalText } from './use-refusal-text.ts'
import type { Known } from './queries.ts'
import { QuoteFigures } from './quote-figures.tsx'
import styles from './quote.module.css'
import { useQuoteWords } from './quote-words.ts'
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

/** What the chosen plan costs today, read out as it changes; or, when nothing is chosen, what was bought last. */
export function QuotePanel(props: Props) {
  const { plan, bought } = props
  return (
    <div className={styles.dock} aria-live="polite">
      {plan ? <Quote {...props} plan={plan} /> : bought !== null && <Bought sentence={bought} />}
    </div>
  )
}

function Quote({ plan, period, settings, quote, isMoving, known, onBought }: Props & { plan: RestreamOffer }) {
  const { t } = useTranslation('tariffs')
  const { sentence, planWords } = useQuoteWords()
  const why = useRefusalText()
  const id = useId()
  const isWaiting = isMoving || quote.isPlaceholderData || quote.data === undefined
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <div className={styles.words}>
        <h3 id={id} className={styles.title}>
          {planWords(plan, settings)}
        </h3>
        {quote.error ? (
          <Failure
            title={t('quote.failed')}
            error={quote.error}
            why={why(quote.error)}
            isRetrying={quote.isFetching}
            onRetry={() => void quote.refetch()}
          />
        ) : (
          <p className={styles.sentence} aria-busy={isWaiting}>
            {quote.data ? sentence(quote.data, plan, period, settings) : t('quote.calculating')}
          </p>
        )}
      </div>
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

function Bought({ sentence }: { sentence: string }) {
  const { t } = useTranslation('tariffs')
  const title = useRef<HTMLHeadingElement>(null)
  // The button that had the focus is gone with what it sold.
  useEffect(() => title.current?.focus(), [])
  return (
    <section className={styles.panel} data-done aria-label={t('quote.bought')}>
      <div className={styles.words}>
        <h3 ref={title} tabIndex={-1} className={styles.title}>
          {t('quote.bought')}
        </h3>
        <p className={styles.sentence}>{sentence}</p>
      </div>
    </section>
  )
}
