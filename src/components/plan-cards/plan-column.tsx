import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { RestreamOffer, RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import { monthsIn, type Period } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'
import styles from './catalogue.module.css'
import { isForSale, rangeOf, type Setting, type Settings } from './choice.ts'
import type { Cell } from './feature-rows.ts'
import { FeatureName, FeatureValue } from './feature-value.tsx'
import { FlexSetting } from './flex-setting.tsx'
import offer from './offer.module.css'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'

interface Props {
  readonly plan: RestreamOffer
  readonly cells: readonly Cell[]
  readonly period: Period
  readonly settings: Settings
  readonly isChosen: boolean
  /** Quote for exactly this plan and its settings. */
  readonly quoted: RestreamQuote | undefined
  readonly currency: Currency | null
  readonly onChoose: () => void
  readonly onAdjust: (change: Settings) => void
}

const settingOf: Readonly<Record<string, Setting>> = { count_channel_max: 'channels', bitrate_max: 'bitrate' }

/** One plan of the catalogue. A flexible plan has sliders instead of fixed values. */
export function PlanColumn(props: Props) {
  const { plan, cells, period, settings, isChosen, quoted, currency, onChoose, onAdjust } = props
  const { t } = useTranslation('tariffs')
  const id = useId()
  return (
    <article
      className={styles.plan}
      aria-labelledby={id}
      data-chosen={isChosen || undefined}
      data-current={plan.status === 'current' || undefined}
    >
      <header className={styles.head}>
        <h3 id={id} className={offer.name}>
          {plan.title}
        </h3>
        <p className={`${offer.status} ${styles.status}`} data-status={plan.status}>
          {t(`status.${plan.status}`)}
        </p>
      </header>
      <PlanPrice plan={plan} period={period} quoted={quoted} currency={currency} />
      <div className={styles.choose}>
        {isForSale(plan) ? (
          <button
            type="button"
            className={offer.button}
            aria-pressed={isChosen}
            aria-describedby={id}
            onClick={onChoose}
          >
            {t(isChosen ? 'plan.chosen' : plan.status === 'current' ? 'plan.prolong' : 'plan.choose')}
          </button>
        ) : (
          <p className={offer.note}>{t(noteOf(plan))}</p>
        )}
      </div>
      <dl className={styles.features}>
        {cells.map((cell) => (
          <div key={cell.name} className={styles.feature}>
            <dt>
              <FeatureName name={cell.name} />
            </dt>
            <dd>{settingFor(cell.name) ?? <FeatureValue cell={cell} />}</dd>
          </div>
        ))}
      </dl>
    </article>
  )

  function settingFor(name: string) {
    const setting = settingOf[name]
    const range = setting && rangeOf(plan, setting)
    if (!range) return null
    return (
      <FlexSetting
        setting={setting}
        range={range}
        value={settings[setting] ?? range.min}
        onChange={(value) => onAdjust({ ...settings, [setting]: value })}
      />
    )
  }
}

function noteOf(plan: RestreamOffer): string {
  if (plan.type !== 'free') return 'plan.notSold'
  return plan.status === 'current' ? 'plan.freeRuns' : 'plan.freeFollows'
}

interface PlanPriceProps {
  readonly plan: RestreamOffer
  readonly period: Period
  readonly quoted: RestreamQuote | undefined
  readonly currency: Currency | null
}

/** Price of a period, and per month for a longer one. A flexible plan without a quote shows its minimum price. */
function PlanPrice({ plan, period, quoted, currency }: PlanPriceProps) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const price = quoted?.[`tariff_price_${period}`] ?? plan.price[period] ?? 0
  const isFrom = plan.type === 'paid_flex' && !quoted
  // Chinese puts 起 after the amount.
  const isFromLast = isFrom && language === 'cn'
  const aMonth = formatMoney(Math.round(price / monthsIn[period]), currency, language)
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
        {monthsIn[period] > 1 && price > 0 && <> · {t('price.aMonth', { amount: aMonth })}</>}
      </span>
    </p>
  )
}
