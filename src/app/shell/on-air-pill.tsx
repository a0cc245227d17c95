import { useTranslation } from 'react-i18next'
import styles from './on-air-pill.module.css'

/**
 * Whether the project is on air. The relay is not served yet, so nothing can be on air through this service: that is
 * what it says, and no more.
 */
export function OnAirPill() {
  const { t } = useTranslation()
  return (
    <span className={styles.pill} title={t('onAir.notServed')}>
      <span className={styles.dot} aria-hidden />
      {t('onAir.off')}
      <span className="visually-hidden">. {t('onAir.notServed')}</span>
    </span>
  )
}
