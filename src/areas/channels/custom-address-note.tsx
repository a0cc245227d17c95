import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { q } from '#src/api/query.ts'
import { Note } from '#src/ui/note.tsx'
import { PlanLink } from './plan-link.tsx'

interface Props {
  readonly projectId: number
  /** Platform with allowed servers; null where every address is a custom one. */
  readonly platform: string | null
  /** True for an address that needs a plan with custom addresses. */
  readonly isCustom: boolean
}

/** Warns before submit that the plan lacks custom addresses, and names the plan that includes them. */
export function CustomAddressNote({ projectId, platform, isCustom }: Props) {
  const { t } = useTranslation('channels')
  const slots = useQuery(q(restream.slots, { project_id: projectId }))
  const isRefused = isCustom && slots.data?.current?.support_custom_channel === false
  const list = useQuery({
    ...q(restream.offers, { project_id: projectId }),
    enabled: isRefused,
  })
  const plan = list.data?.results.find(
    ({ active, type, support_custom_channel: has }) => active && type !== 'free' && has,
  )
  return (
    <Note tone="warn">
      {isRefused && (
        <>
          {platform === null ? t('custom.none') : t('custom.own', { platform })}{' '}
          {plan ? (
            <PlanLink projectId={projectId} plan={plan.plan_restream_id} isInForm>
              {t('custom.lift', { plan: plan.title })}
            </PlanLink>
          ) : (
            list.data && t('limit.none')
          )}
        </>
      )}
    </Note>
  )
}
