import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { payments } from '#contract/areas/billing/payments.ts'
import type { Payment } from '#contract/entities/payment.ts'
import { q } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatMoney } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Card } from '#src/ui/card.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { PendingActions } from './pending-actions.tsx'

interface Props {
  readonly projectId: number
  /** Without buttons; each payment links to its page. */
  readonly isPlain?: boolean
  /** What follows; rendered when it is known whether there are any, so that it does not move. */
  readonly children: ReactNode
}

/** Pending payments, each to continue or to cancel; absent without any. */
export function PendingCard({ projectId, isPlain = false, children }: Props) {
  const { t } = useTranslation('pay')
  const list = useQuery(q(payments.list, { project_id: projectId, page: 1, pageSize: 100 }))
  const pending = list.data?.results.filter(({ status }) => status === 'pending') ?? []
  return (
    <>
      {(pending.length > 0 || list.error) && (
        <Card title={t('pending.title')} note={t('pending.note')}>
          <QueryPart query={list} failed={t('failed')} skeleton={null}>
            {() => (
              <RowList>
                {pending.map((payment) => (
                  <PendingRow key={payment.payment_id} projectId={projectId} payment={payment} isPlain={isPlain} />
                ))}
              </RowList>
            )}
          </QueryPart>
        </Card>
      )}
      {list.isPending ? <Skeleton height={380} /> : children}
    </>
  )
}

function PendingRow({
  projectId,
  payment,
  isPlain,
}: Required<Omit<Props, 'children'>> & { readonly payment: Payment }) {
  const { t } = useTranslation('pay')
  const { payment_id, amount, currency, type, title, date } = payment
  const money = formatMoney(amount, currency, useLanguage())
  const purpose = type === 'topup' ? t('purpose.topup') : t('purpose.plan', { plan: title ?? '' })
  return (
    <Row
      title={
        <Link to={paths.payment(projectId, payment_id)}>
          {money} · {purpose}
        </Link>
      }
      about={<DateStamp iso={date} />}
      actions={!isPlain && <PendingActions projectId={projectId} payment={payment} name={`${money}, ${purpose}`} />}
    />
  )
}
