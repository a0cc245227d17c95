import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { projects, type ProjectInfo } from '#contract/areas/projects/projects.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './billing.module.css'
import { PendingCard } from './pending-card.tsx'
import { PromoCard } from './promo-card.tsx'
import { TopUpCard } from './top-up-card.tsx'
import { TransferCard } from './transfer-card.tsx'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { Card } from '#src/ui/card.tsx'

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
                <TopUpCard projectId={projectId} currency={data.currency} debt={data.debt ?? 0} />
                <PendingCard projectId={projectId}>
                  <PromoCard projectId={projectId} />
                  <TransferCard project={data} />
                </PendingCard>
              </>
            )}
          </>
        )}
      </QueryPart>
    </div>
  )
}

interface Props {
  readonly held: Pick<ProjectInfo['data'], 'balance_bonus' | 'balance_payment' | 'balance_profit' | 'currency' | 'debt'>
}

/** Total balance of a project, its three types in spending order, each with the purpose of its money, and its debt. */
function BalanceCard({ held }: Props) {
  const { t } = useTranslation('billing')
  const { currency, debt = 0 } = held
  const total = held.balance_bonus + held.balance_payment + held.balance_profit - debt
  return (
    <Card title={t('balance.title')} note={t('balance.order')}>
      <p className={styles.total}>
        <MoneyAmount amountMinor={total} currency={currency} />
      </p>
      <dl className={styles.types}>
        {(['bonus', 'payment', 'profit'] as const).map((type) => (
          <div key={type} className={styles.type}>
            <dt>{t(`balance.${type}.name`)}</dt>
            <dd className={styles.amount}>
              <MoneyAmount amountMinor={held[`balance_${type}`]} currency={currency} />
            </dd>
            <dd className={styles.quiet}>{t(`balance.${type}.text`)}</dd>
          </div>
        ))}
        {debt > 0 && (
          <div className={styles.type}>
            <dt>{t('balance.debt.name')}</dt>
            <dd className={styles.amount}>
              <MoneyAmount amountMinor={-debt} currency={currency} />
            </dd>
            <dd className={styles.quiet}>{t('balance.debt.text')}</dd>
          </div>
        )}
      </dl>
    </Card>
  )
}
