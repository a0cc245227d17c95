import { useTranslation } from 'react-i18next'
import styles from './timeline.module.css'

/** Colour legend of the lanes. */
export function TimelineLegend() {
  const { t } = useTranslation('broadcasts', { keyPrefix: 'timeline' })
  return (
    <ul className={styles.legend} aria-label={t('legend')}>
      {(['on', 'poor', 'off'] as const).map((tone) => (
        <li key={tone}>
          <svg width={16} height={10} aria-hidden focusable="false">
            <rect data-tone={tone} width={16} height={10} />
          </svg>
          {t(`tone.${tone}`)}
        </li>
      ))}
    </ul>
  )
}
