import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { toApiError } from '#src/api/api-error.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { paths } from '#src/lib/paths.ts'
import { PlanLink } from './plan-link.tsx'

interface Props {
  readonly projectId: number
  readonly error: unknown
  /** Set inside a form, so that links open a new tab and the form keeps its input. */
  readonly isInForm?: boolean
}

/** Reason why the service refused a request. A tariff limit links to the plan that raises it, a second channel to the first. */
export function Refusal({ projectId, error, isInForm }: Props) {
  const { t } = useTranslation('channels')
  const failureText = useFailureText('channels')
  const { name, data } = toApiError(error)
  if (name === 'AlreadyAdded' && typeof data['channel_id'] === 'number')
    return (
      <>
        {failureText(error)}{' '}
        <Link to={paths.channel(projectId, data['channel_id'])} target={isInForm ? '_blank' : undefined}>
          {t('same.open')}
          {isInForm && <span className="visually-hidden"> {t('custom.newTab')}</span>}
        </Link>
      </>
    )
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
