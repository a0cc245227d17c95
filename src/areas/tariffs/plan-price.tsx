import { useTranslation } from 'react-i18next'
import type { RestreamOffer, RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import type { Period } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './catalogue.module.css'
import offer from './offer.module.css'

interface Props {
  readonly plan: RestreamOffer
  readonly period: Period
  readonly quoted: RestreamQuote | undefined
  readonly currency: Currency | null
}

/** Price of a period, and per month for a year. A flexible plan without a quote shows its minimum price. */
export function PlanPrice({ plan, period, quoted, currency }: Props) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const price = quoted
    ? { month: quoted.tariff_price_month, year: quoted.tariff_price_year }[period]
    : plan.price[period]
  const isFrom = plan.type === 'paid_flex' && !quoted
  // Chinese puts 起 after the amount.
  const isFromLast = isFrom && language === 'cn'
  const aMonth = formatMoney(Math.round(price / 12), currency, language)
  return (
    <p className={`${offer.price} ${styles.price}`}>
      <strong>
        {isFrom && !isFromLast && <span className={styles.from}>{t('price.from')} </span>}
        <MoneyAmount amountMinor={price} currency={currency} />
        {isFromLast && <span className={styles.from}> {t('price.from')}</span>}
      </strong>
      <span className={styles.per}>
        {t(`price.${period}`)}
        {isFrom && <> · {t('price.smallest')}</>}
        {period === 'year' && price > 0 && <> · {t('price.aMonth', { amount: aMonth })}</>}
      </span>
    </p>
  )
}
