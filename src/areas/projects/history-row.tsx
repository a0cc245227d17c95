import { useTranslation } from 'react-i18next'
import type { HistoryItem } from '#contract/areas/projects/history.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { detailsOf, personOf } from './history-words.ts'
import styles from './projects.module.css'
import { useWords } from './use-words.ts'

/** One history entry: action, details, user and time. */
export function HistoryRow({ item }: { readonly item: HistoryItem }) {
  const { t } = useTranslation('projects')
  const words = useWords()
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
