import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useRealtimeStatus } from '#src/realtime/store.ts'
import styles from './realtime-mark.module.css'

/** Small notice that the realtime connection is down and the page polls every few seconds. */
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
