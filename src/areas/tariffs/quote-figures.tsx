import { useTranslation } from 'react-i18next'
import type { RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import type { Period } from '#contract/entities/plan.ts'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { formatDate } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './quote.module.css'
import { type QuoteParts, quoteParts } from './quote-parts.ts'

interface Props {
  readonly quote: RestreamQuote | undefined
  readonly period: Period
  readonly isWaiting: boolean
}

/** Amounts of a quote in one row, which keeps its size while the quote loads. */
export function QuoteFigures({ quote, period, isWaiting }: Props) {
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
