import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { Period } from '#contract/entities/plan.ts'
import { q } from '#src/api/query.ts'
import { formatPercent } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './catalogue.module.css'

/** Monthly or yearly, with what a year saves when the server says it. */
export function PeriodSwitch({ period, onChange }: { period: Period; onChange: (period: Period) => void }) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const name = useId()
  const discount = useQuery({ ...q(restream.discount, {}), staleTime: 300_000 }).data
  return (
    <fieldset className={styles.switch}>
      <legend className="visually-hidden">{t('period.choose')}</legend>
      {Period.options.map((option) => {
        const percent = discount?.[option] ?? 0
        return (
          <label key={option} className={styles.option} data-on={option === period || undefined}>
            <input type="radio" name={name} checked={option === period} onChange={() => onChange(option)} />
            {t(`period.${option}`)}
            {percent > 0 && <span className={styles.discount}>−{formatPercent(percent, language)}</span>}
          </label>
        )
      })}
    </fieldset>
  )
}
