import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { projects } from '#contract/areas/projects/projects.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { BalanceCard } from './balance-card.tsx'
import styles from './billing.module.css'
import { PendingCard } from './pending-card.tsx'
import { PromoCard } from './promo-card.tsx'
import { TopUpCard } from './top-up-card.tsx'
import { TransferCard } from './transfer-card.tsx'

/** The Balance tab. */
export function BalancePart() {
  const { t } = useTranslation('billing')
  const projectId = Number(useParams()['projectId'])
  const info = useQuery(q(projects.info, { project_id: projectId }))
  return (
    <div className={styles.part}>
      <QueryPart query={info} failed={t('balance.failed')} skeleton={<Skeleton height={210} />}>
        {({ data, access }) => (
          <>
            <BalanceCard held={data} />
            {roleCan(access.access_type, 'owner') && (
              <>
                <TopUpCard projectId={projectId} currency={data.currency} />
                <PendingCard projectId={projectId} />
                <PromoCard projectId={projectId} />
                <TransferCard project={data} />
              </>
            )}
          </>
        )}
      </QueryPart>
    </div>
  )
}
