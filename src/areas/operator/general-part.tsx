import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { settings } from '#contract/areas/operator/settings.ts'
import { q } from '#src/api/query.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { Note } from '#src/ui/note.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { BillingCard } from './billing-card.tsx'
import { BonusCard } from './bonus-card.tsx'
import styles from './operator.module.css'

/** Use of plans, and the registration bonus. */
export function GeneralPart() {
  const { t } = useTranslation('operator')
  const query = useQuery(q(settings.get, {}))
  return (
    <div className={styles.parts}>
      <QueryPart query={query} failed={t('general.failed')} skeleton={<Skeleton height={320} />}>
        {(data) => (
          <>
            <BillingCard settings={data} />
            {data.billing === 'plans' && data.providers.length === 0 && (
              <Note tone="warn">{t('general.noPayments')}</Note>
            )}
            {data.billing === 'plans' && <BonusCard settings={data} />}
          </>
        )}
      </QueryPart>
      <HelpLinkLater article="server/operating" />
    </div>
  )
}
