import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { paySettings } from '#contract/areas/billing/pay-settings.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import type { Currency } from '#contract/entities/currencies.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './billing.module.css'
import { DetailsForm } from './details-form.tsx'
import { MethodsCard } from './methods-card.tsx'
import { RenewalsCard } from './renewals-card.tsx'

/** The Cards and details tab, for owners. */
export function DetailsPart() {
  const { t } = useTranslation('billing-details')
  const projectId = Number(useParams()['projectId'])
  const info = useQuery(q(projects.info, { project_id: projectId }))
  return (
    <div className={styles.part}>
      <QueryPart query={info} failed={t('failed')} skeleton={<Skeleton height={380} />}>
        {({ access, data: { currency } }) =>
          roleCan(access.access_type, 'owner') ? (
            <>
              <RenewalsCard projectId={projectId} />
              <MethodsCard projectId={projectId} />
              <Details projectId={projectId} currency={currency} />
            </>
          ) : (
            <EmptyState title={t('notOwner.title')}>{t('notOwner.text')}</EmptyState>
          )
        }
      </QueryPart>
    </div>
  )
}

function Details({ projectId, currency }: { readonly projectId: number; readonly currency: Currency }) {
  const { t } = useTranslation('billing-details')
  const details = useQuery(q(paySettings.get, { project_id: projectId }))
  return (
    <QueryPart query={details} failed={t('failed')} skeleton={<Skeleton height={380} />}>
      {({ result }) => <DetailsForm projectId={projectId} currency={currency} saved={result} />}
    </QueryPart>
  )
}
