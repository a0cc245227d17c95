import { useTranslation } from 'react-i18next'
import styles from './slots.module.css'

/** Plan title; its id without a catalogue. */
export function PlanName({ id, title }: { id: number | undefined; title: string | undefined }) {
  const { t } = useTranslation('tariffs')
  if (id === undefined) return <span className={styles.none}>{t('plan.unnamed')}</span>
  if (title === undefined) return t('plan.byId', { id })
  return title
}
