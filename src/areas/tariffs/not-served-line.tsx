import { useTranslation } from 'react-i18next'
import type { ProductLine } from '#contract/entities/plan.ts'
import { notServed } from '#contract/not-served.ts'
import styles from './slots.module.css'

/** A product line whose operations are known and not served yet: says so, and names them. */
export function NotServedLine({ line }: { line: ProductLine }) {
  const { t } = useTranslation('tariffs')
  const operations = notServed
    .filter(({ area, name }) => area === 'tariffs' && name === line)
    .flatMap((group) => group.operations)
  return (
    <section className={styles.part}>
      <h2>{t('notServed.title')}</h2>
      <p className={styles.lead}>{t('notServed.text', { line: t(`line.${line}`) })}</p>
      <ul className={styles.operations}>
        {operations.map(([route, briefName]) => (
          <li key={route}>
            <code>{route}</code> {briefName && <span lang="en">{briefName}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
