import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type Discount, type LineName, type Period, periodPrice } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { formatMoney, formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './add-ons.module.css'
import { FlexSetting } from './flex-setting.tsx'
import offer from './offer.module.css'
import type { Range } from './choice.ts'

/** Lines that are bought in addition to restream. */
export type AddOnName = Exclude<LineName, 'restream'>

/** A plan of an add-on line: price per unit and month, minor units. */
export interface AddOnPlan {
  readonly id: number
  readonly title: string
  readonly isForSale: boolean
  readonly isFree: boolean
  readonly price: number | null
  readonly range: Range
  readonly resolution?: string | null
  readonly fps?: string
}

interface Props {
  readonly line: AddOnName
  readonly plan: AddOnPlan
  readonly quantity: number
  readonly period: Period
  readonly discount: Discount | null
  readonly isCurrent: boolean
  readonly isChosen: boolean
  readonly currency: Currency | null
  readonly onChoose: () => void
  readonly onAdjust: (quantity: number) => void
}

/** One plan of an add-on line: its price, and a stepper or slider for the quantity. */
export function AddOnCard(props: Props) {
  const { line, plan, quantity, period, discount, isCurrent, isChosen, currency, onChoose, onAdjust } = props
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const id = useId()
  return (
    <article
      className={styles.card}
      aria-labelledby={id}
      data-chosen={isChosen || undefined}
      data-current={isCurrent || undefined}
    >
      <header className={styles.head}>
        <h3 id={id} className={offer.name}>
          {plan.title}
        </h3>
        {isCurrent && <p className={`${offer.status} ${styles.status}`}>{t('status.current')}</p>}
      </header>
      {line === 'transcoding' && (
        <p className={styles.output}>
          {plan.resolution} · {t('units.fps', { value: plan.fps })}
        </p>
      )}
      <p className={`${offer.price} ${styles.price}`}>
        <strong>
          <MoneyAmount
            amountMinor={periodPrice((plan.price ?? 0) * quantity, period, discount?.[period] ?? 0)}
            currency={currency}
          />
        </strong>
        <span>
          {t(`price.${period}`)}
          {!plan.isFree &&
            ` · ${t(`addOn.${line}.unitPrice`, { amount: formatMoney(plan.price ?? 0, currency, language) })}`}
        </span>
      </p>
      {plan.isForSale ? (
        <>
          <div className={styles.quantity}>
            {line === 'storage' ? (
              <FlexSetting setting="size" range={plan.range} value={quantity} onChange={onAdjust} />
            ) : (
              <Stepper range={plan.range} value={quantity} onChange={onAdjust} />
            )}
          </div>
          <button
            type="button"
            className={offer.button}
            aria-pressed={isChosen}
            aria-describedby={id}
            onClick={onChoose}
          >
            {t(isChosen ? 'plan.chosen' : 'plan.choose')}
          </button>
        </>
      ) : (
        <p className={`${offer.note} ${styles.note}`}>
          {t(plan.isFree ? (isCurrent ? 'plan.freeRuns' : 'plan.freeFollows') : 'plan.notSold')}
        </p>
      )}
    </article>
  )
}

interface StepperProps {
  readonly range: Range
  readonly value: number
  readonly onChange: (value: number) => void
}

/** Number of transcoders with buttons for one more and one less. */
function Stepper({ range: { min, max, step }, value, onChange }: StepperProps) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const isFirst = value <= min
  const isLast = value >= max
  return (
    <div className={styles.stepper} role="group" aria-label={t('flex.count')}>
      <button
        type="button"
        className={offer.button}
        aria-label={t('stepper.less')}
        aria-disabled={isFirst}
        onClick={() => isFirst || onChange(value - step)}
      >
        −
      </button>
      <output aria-live="polite">{formatNumber(value, language)}</output>
      <button
        type="button"
        className={offer.button}
        aria-label={t('stepper.more')}
        aria-disabled={isLast}
        onClick={() => isLast || onChange(value + step)}
      >
        +
      </button>
    </div>
  )
}
