import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { payments } from '#contract/areas/operator/payments.ts'
import { type OperatorPayment, paymentFilters } from '#contract/entities/payment.ts'
import { q } from '#src/api/query.ts'
import { PagedList } from '#src/components/paged-list.tsx'
import { useListView } from '#src/components/use-list-view.ts'
import { pageOf, paramsOf, windowOf } from '#src/lib/page-params.ts'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Note } from '#src/ui/note.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { FilterField, SearchField, Toolbar } from '#src/ui/toolbar.tsx'
import styles from './operator.module.css'
import { paymentDialogs } from './payment-dialogs.tsx'
import { type PaymentDialog, PaymentItem, useProviderName } from './payment-item.tsx'

const size = 20

/** Filters of the list, as the URL has them. */
interface View {
  readonly status: string
  readonly provider: string
  readonly project: string
  readonly page: number
}

/** Payments of all projects: differences, filters, invoices to mark as paid, refunds. The filters are in the URL. */
export function PaymentsPart() {
  const { t } = useTranslation('operator-money')
  const { view, change, to } = useListView(readView, writeView)
  const status = paymentFilters.find((name) => name === view.status)
  const input = {
    ...windowOf(view.page, size),
    ...(status && { status }),
    ...(view.provider !== '' && { provider: view.provider.slice(0, 40) }),
    ...(/^[1-9]\d{0,8}$/.test(view.project) && { project_id: Number(view.project) }),
  }
  const isFiltered = [view.status, view.provider, view.project].some((value) => value !== '')
  const list = useQuery({ ...q(payments.list, input), placeholderData: keepPreviousData })
  const [open, setOpen] = useState<{ readonly payment: OperatorPayment; readonly how: PaymentDialog } | null>(null)
  const close = () => setOpen(null)
  const Dialog = open && paymentDialogs[open.how]
  return (
    <div className={styles.parts}>
      <Differences />
      <Card title={t('payments.title')} note={t('payments.note')}>
        <Tools view={view} onChange={change} />
        <PagedList
          query={list}
          failed={t('failed')}
          height={360}
          page={view.page}
          size={size}
          to={to}
          empty={<EmptyState title={t(isFiltered ? 'payments.none' : 'payments.noneYet')} />}
        >
          {(rows) => (
            <RowList label={t('payments.title')}>
              {rows.map((payment) => (
                <PaymentItem key={payment.payment_id} payment={payment} onOpen={(how) => setOpen({ payment, how })} />
              ))}
            </RowList>
          )}
        </PagedList>
        {Dialog && open && <Dialog payment={open.payment} onClose={close} />}
      </Card>
    </div>
  )
}

const readView = (params: URLSearchParams): View => ({
  status: params.get('status') ?? '',
  provider: params.get('provider') ?? '',
  project: params.get('project') ?? '',
  page: pageOf(params),
})

const writeView = (view: View, change: Partial<View>): URLSearchParams => paramsOf({ ...view, page: 1, ...change })

function Tools({ view, onChange }: { readonly view: View; readonly onChange: (change: Partial<View>) => void }) {
  const { t } = useTranslation('operator-money')
  const providers = useQuery(q(payments.providers, {}))
  const nameOf = useProviderName()
  return (
    <Toolbar label={t('payments.tools')}>
      <SearchField
        label={t('payments.project')}
        inputMode="numeric"
        maxLength={9}
        value={view.project}
        onChange={(project) => onChange({ project })}
      />
      <FilterField
        label={t('payments.state')}
        value={view.status}
        choices={[
          { value: '', label: t('payments.anyState') },
          ...paymentFilters.map((value) => ({ value, label: t(`payments.status.${value}`) })),
        ]}
        onChange={(value) => onChange({ status: value })}
      />
      <FilterField
        label={t('payments.providerField')}
        value={view.provider}
        choices={[
          { value: '', label: t('payments.anyProvider') },
          ...(providers.data?.results ?? []).map(({ name }) => ({ value: name, label: nameOf(name) })),
        ]}
        onChange={(provider) => onChange({ provider })}
      />
    </Toolbar>
  )
}

/** Providers whose last reconciliation found differences. */
function Differences() {
  const { t } = useTranslation('operator-money')
  const providers = useQuery(q(payments.providers, {}))
  const nameOf = useProviderName()
  return (providers.data?.results ?? [])
    .filter(({ mismatches }) => mismatches > 0)
    .map(({ name, mismatches }) => (
      <Note key={name} tone="warn">
        {t('payments.differences', { provider: nameOf(name), count: mismatches })}
      </Note>
    ))
}
