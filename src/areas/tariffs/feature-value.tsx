import { useTranslation } from 'react-i18next'
import { Bitrate } from '#src/components/bitrate.tsx'
import { formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './catalogue.module.css'
import type { Cell } from './feature-rows.ts'

/** A feature by its translated name; one that we do not know by the name it came with. */
export function FeatureName({ name }: { name: string }) {
  const { t } = useTranslation('tariffs')
  return t(`feature.${name}`, { defaultValue: name })
}

/** What a plan says about a feature, as received: a yes, a no, a figure with its unit, a word. */
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
