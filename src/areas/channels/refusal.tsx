import { useTranslation } from 'react-i18next'
import { toApiError } from '#src/api/api-error.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { PlanLink } from './plan-link.tsx'

interface Props {
  readonly projectId: number
  readonly error: unknown
  /** The form around it keeps its input. */
  readonly isInForm?: boolean
}

/** Why something was refused. A limit of the tariff is named, with the plan that lifts it. */
export function Refusal({ projectId, error, isInForm }: Props) {
  const { t } = useTranslation('channels')
  const failureText = useFailureText('channels')
  const { name, data } = toApiError(error)
  if (name !== 'PlanLimitReached') return failureText(error)
  const { limit, value, plan_restream_id: plan, plan_title: title } = data
  return (
    <>
      {t(`limit.${String(limit)}`, { count: Number(value), defaultValue: failureText(error) })}{' '}
      {typeof plan === 'number' ? (
        <PlanLink projectId={projectId} plan={plan} isInForm={isInForm}>
          {t('limit.lift', { plan: String(title) })}
        </PlanLink>
      ) : (
        t('limit.none')
      )}
    </>
  )
}
