import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, useParams } from 'react-router'
import { productLines } from '#contract/entities/plan.ts'
import { paths } from '#src/lib/paths.ts'
import { RestreamLine } from './restream-line.tsx'
import styles from './tariffs-page.module.css'

const NotServedLine = lazy(async () => ({ default: (await import('./not-served-line.tsx')).NotServedLine }))

/** The plans of a project: a tab for each product line. */
export function TariffsPage() {
  const { t } = useTranslation('tariffs')
  const params = useParams()
  const projectId = Number(params['projectId'])
  const line = productLines.find((name) => name === params['line']) ?? 'restream'
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{t('title')}</h1>
        <nav aria-label={t('lines')}>
          <ul className={styles.tabs}>
            {productLines.map((name) => (
              <li key={name}>
                <NavLink to={paths.tariffs(projectId, name)} aria-current={name === line ? 'page' : undefined}>
                  {t(`line.${name}`)}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      {line === 'restream' ? <RestreamLine key={projectId} projectId={projectId} /> : <NotServedLine line={line} />}
    </div>
  )
}
