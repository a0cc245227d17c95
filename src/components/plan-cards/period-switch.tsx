import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type Discount, type Period, publishedPeriods } from '#contract/entities/plan.ts'
import { formatPercent } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Radio } from '#src/ui/checkbox.tsx'
import styles from './catalogue.module.css'

interface Props {
  readonly period: Period
  /** Discounts in percent and the sold periods, if the server reports them. */
  readonly discount: Discount | null
  readonly onChange: (period: Period) => void
}

/** Switch between the sold periods, with the saving of each. */
export function PeriodSwitch({ period, discount, onChange }: Props) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const name = useId()
  return (
    <fieldset className={styles.switch}>
      <legend className="visually-hidden">{t('period.choose')}</legend>
      {(discount?.sold ?? publishedPeriods).map((option) => {
        const percent = discount?.[option] ?? 0
        return (
          <label key={option} className={styles.option} data-on={option === period || undefined}>
            <Radio name={name} checked={option === period} onChange={() => onChange(option)} />
            {t(`period.${option}`)}
            {percent > 0 && <span className={styles.discount}>−{formatPercent(percent, language)}</span>}
          </label>
        )
      })}
    </fieldset>
  )
}
