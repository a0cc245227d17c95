import { useTranslation } from 'react-i18next'
import type { ProjectInfo } from '#contract/areas/projects/projects.ts'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { Card } from '#src/ui/card.tsx'
import styles from './billing.module.css'

interface Props {
  readonly held: Pick<ProjectInfo['data'], 'balance_bonus' | 'balance_payment' | 'balance_profit' | 'currency' | 'debt'>
}

/** Total balance of a project, its three types in spending order, each with the purpose of its money, and its debt. */
export function BalanceCard({ held }: Props) {
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
