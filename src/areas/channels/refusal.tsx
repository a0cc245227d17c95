import { useTranslation } from 'react-i18next'
import { toApiError } from '#src/api/api-error.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { PlanLink } from './plan-link.tsx'

interface Props {
  readonly projectId: number
  readonly error: unknown
  /** Set inside a form, so that links open a new tab and the form keeps its input. */
  readonly isInForm?: boolean
}

/** Reason why the service refused a request. A tariff limit links to the plan that raises it. */
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
