import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useRealtimeStatus } from '#src/realtime/store.ts'
import styles from './realtime-mark.module.css'

/** Small and quiet: changes do not come by themselves, the page asks every few seconds. */
export function RealtimeMark() {
  const { t } = useTranslation()
  if (useRealtimeStatus() !== 'away') return null
  return (
    <span className={styles.mark} role="status" title={t('realtime.away')}>
      <IconPlugConnectedX size={17} stroke={1.8} aria-hidden />
      <span className="visually-hidden">{t('realtime.away')}</span>
    </span>
  )
}
