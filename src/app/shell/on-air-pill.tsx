import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useStatus } from '#src/areas/broadcasts/use-status.ts'
import { paths } from '#src/lib/paths.ts'
import styles from './on-air-pill.module.css'

const everyMs = 10_000

/** Whether the project is on air; nothing while that is not known. */
export function OnAirPill({ projectId }: { readonly projectId: number | string }) {
  const { t } = useTranslation()
  const { data, isError } = useStatus(Number(projectId), everyMs)
  if (!data || isError) return null
  const state = data.kind === 'inactive' ? 'off' : data.status === 'lost' ? 'lost' : 'on'
  return (
    <Link to={paths.home(projectId)} className={styles.pill} data-state={state}>
      <span className={styles.dot} aria-hidden />
      {t(`onAir.${state}`)}
    </Link>
  )
}
