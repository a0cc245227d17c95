import { useTranslation } from 'react-i18next'
import { formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './add-ons.module.css'
import type { Range } from './choice.ts'
import offer from './offer.module.css'

interface Props {
  readonly range: Range
  readonly value: number
  readonly onChange: (value: number) => void
}

/** Number of transcoders with buttons for one more and one less. */
export function Stepper({ range: { min, max, step }, value, onChange }: Props) {
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
