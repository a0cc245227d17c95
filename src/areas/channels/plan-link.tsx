import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '#src/lib/paths.ts'
import styles from './channels.module.css'

interface Props {
  readonly projectId: number
  readonly plan: number
  /** Opens a new tab, so that the form keeps its input. */
  readonly isInForm?: boolean | undefined
  readonly children: ReactNode
}

/** Link to a plan on the tariff page. */
export function PlanLink({ projectId, plan, isInForm = false, children }: Props) {
  const { t } = useTranslation('channels')
  return (
    <Link
      className={styles.lift}
      to={`${paths.tariffs(projectId)}?plan=${plan}`}
      target={isInForm ? '_blank' : undefined}
    >
      {children}
      {isInForm && <span className="visually-hidden"> {t('custom.newTab')}</span>}
    </Link>
  )
}
