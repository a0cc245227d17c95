import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { useNavigation } from './navigation.ts'
import styles from './rail.module.css'

/** Navigation at the left. Narrower windows show only its icons. */
export const Rail = memo(function Rail({ projectId }: { projectId: number | string }) {
  const { t } = useTranslation()
  const groups = useNavigation()
  return (
    <nav className={styles.rail} aria-label={t('shell.navigation')}>
      {groups.map((group) => (
        <div key={group.key}>
          <h2 className={styles.group}>{t(`nav.${group.key}`)}</h2>
          <ul className={styles.entries} aria-label={t(`nav.${group.key}`)}>
            {group.entries.map(({ key, icon: Icon, to }) => (
              <li key={key}>
                <NavLink to={to(projectId)} end={key === 'home'} className={styles.entry ?? ''} title={t(`nav.${key}`)}>
                  <Icon size={19} stroke={1.7} aria-hidden />
                  <span className={styles.word}>{t(`nav.${key}`)}</span>
                </NavLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
})
