import { useTranslation } from 'react-i18next'
import type { HistoryItem } from '#contract/areas/projects/history.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { detailsOf, personOf } from './history-texts.ts'
import styles from './projects.module.css'
import { useTranslate } from './use-translate.ts'

/** One history entry: action, details, user and time. */
export function HistoryRow({ item }: { readonly item: HistoryItem }) {
  const { t } = useTranslation('projects')
  const words = useTranslate()
  const details = detailsOf(item, words)
  return (
    <li className={styles.event}>
      <div>
        <strong>{t(`action.${item.action}`, { defaultValue: item.action })}</strong>
        {details && <span> {details}</span>}
        <div className={styles.quiet}>{personOf(item, words)}</div>
      </div>
      <DateStamp iso={item.date} />
    </li>
  )
}
