import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCurrent, useNavigation } from './navigation.ts'
import styles from './rail.module.css'

/** Navigation at the left. Narrower windows show only its icons. */
export const Rail = memo(function Rail({ projectId }: { projectId: number | string }) {
  const { t } = useTranslation()
  const entries = useNavigation()
  const currentOf = useCurrent(projectId)
  return (
    <nav className={styles.rail} aria-label={t('shell.navigation')}>
      <ul className={styles.entries}>
        {entries.map((entry) => (
          <li key={entry.key} data-first={entry.isFirst}>
            <Link
              to={entry.to(projectId)}
              className={styles.entry}
              aria-current={currentOf(entry)}
              title={t(`nav.${entry.key}`)}
            >
              <entry.icon size={19} stroke={1.7} aria-hidden />
              <span className={styles.word}>{t(`nav.${entry.key}`)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
})
