import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { toApiError } from '#src/api/api-error.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { paths } from '#src/lib/paths.ts'
import styles from './channels.module.css'

interface Props {
  readonly projectId: number
  readonly error: unknown
}

/** Why something was refused. A limit of the tariff is named, with the plan that lifts it. */
export function Refusal({ projectId, error }: Props) {
  const { t } = useTranslation('channels')
  const failureText = useFailureText('channels')
  const { name, data } = toApiError(error)
  if (name !== 'PlanLimitReached') return failureText(error)
  const { limit, value, plan_restream_id: plan, plan_title: title } = data
  return (
    <>
      {t(`limit.${String(limit)}`, { count: Number(value), defaultValue: failureText(error) })}{' '}
      {typeof plan === 'number' ? (
        <Link className={styles.lift} to={`${paths.tariffs(projectId)}?plan=${plan}`}>
          {t('limit.lift', { plan: String(title) })}
        </Link>
      ) : (
        t('limit.none')
      )}
    </>
  )
}
