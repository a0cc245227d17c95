import { useTranslation } from 'react-i18next'
import { Bitrate } from '#src/components/bitrate.tsx'
import { formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './catalogue.module.css'
import type { Cell } from './feature-rows.ts'

/** Translated feature name; unknown features keep the name from the server. */
export function FeatureName({ name }: { name: string }) {
  const { t } = useTranslation('tariffs')
  return t(`feature.${name}`, { defaultValue: name })
}

/** Value of a feature as received: yes, no, number with unit, or text. */
export function FeatureValue({ cell: { value, unit } }: { cell: Cell }) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  if (value === undefined || value === null) return <span className={styles.none}>{t('notReported')}</span>
  if (typeof value === 'boolean')
    return (
      <span className={styles.flag} data-flag={value}>
        <span aria-hidden>{value ? '✓' : '–'}</span> {t(value ? 'yes' : 'no')}
      </span>
    )
  if (typeof value === 'string') return unit ? `${value} ${unit}` : value
  if (unit === 'kbps') return <Bitrate kbps={value} />
  return unit
    ? t('feature.withUnit', { value: formatNumber(value, language), unit: t(`unit.${unit}`, { defaultValue: unit }) })
    : formatNumber(value, language)
}
