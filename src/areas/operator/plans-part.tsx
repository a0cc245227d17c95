import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { plans } from '#contract/areas/operator/plans.ts'
import { lineNames } from '#contract/entities/plan.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { LineCard } from './line-card.tsx'
import styles from './operator.module.css'
import { PeriodsCard } from './periods-card.tsx'

/** Catalogues of all lines, and the periods that are sold. */
export function PlansPart() {
  const { t } = useTranslation('operator')
  const query = useQuery(q(plans.list, {}))
  return (
    <div className={styles.parts}>
      <QueryPart query={query} failed={t('plans.failed')} skeleton={<Skeleton height={480} />}>
        {(catalogue) => (
          <>
            {lineNames.map((line) => (
              <LineCard key={line} line={line} catalogue={catalogue} />
            ))}
            <PeriodsCard periods={catalogue.periods} />
          </>
        )}
      </QueryPart>
    </div>
  )
}
