import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { notServed } from '#contract/not-served.ts'
import { groupTitle } from '#src/lib/group-title.ts'
import { paths } from '#src/lib/paths.ts'
import styles from './not-served.module.css'

interface Props {
  readonly title: string
  /** One plain sentence about the future content. */
  readonly text: string
  /** API groups that the page needs, `area.name`. Empty: the API has no operation for it. */
  readonly groups: readonly string[]
}

/** Placeholder of a page that the server does not support yet, with the operations that it needs. */
export function NotServed({ title, text, groups }: Props) {
  const { t } = useTranslation('parts', { keyPrefix: 'notServed' })
  const waiting = notServed.filter(({ area, name }) => groups.includes(`${area}.${name}`))
  return (
    <section className={styles.part}>
      <header className={styles.head}>
        <h2>{title}</h2>
        <span className={styles.badge}>{t('badge')}</span>
      </header>
      <p className={styles.text}>{text}</p>
      {waiting.length === 0 && <p className={styles.muted}>{t('noOperations')}</p>}
      {waiting.map(({ area, name, title: group, operations }) => (
        <details key={`${area}.${name}`} className={styles.group}>
          <summary>
            <span lang="en" className={styles.name}>
              {groupTitle(group)}
            </span>
            <code className={styles.id}>{`${area}.${name}`}</code>
            <span className={styles.count}>{t('operations', { count: operations.length })}</span>
          </summary>
          <ul className={styles.operations}>
            {operations.map(([route, briefName]) => (
              <li key={route}>
                <code>{route}</code> {briefName && <span lang="en">{briefName}</span>}
              </li>
            ))}
          </ul>
          <Link to={paths.referenceGroup(`${area}.${name}`)}>{t('reference', { group: groupTitle(group) })}</Link>
        </details>
      ))}
    </section>
  )
}
