import { useTranslation } from 'react-i18next'
import styles from './slots.module.css'

/** Plan title and id; the id alone without a catalogue. */
export function PlanName({ id, title }: { id: number | undefined; title: string | undefined }) {
  const { t } = useTranslation('tariffs')
  if (id === undefined) return <span className={styles.none}>{t('plan.unnamed')}</span>
  if (title === undefined) return t('plan.byId', { id })
  return (
    <>
      {title} <span className={styles.planId}>{t('plan.id', { id })}</span>
    </>
  )
}
