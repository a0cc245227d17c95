import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { payments } from '#contract/areas/operator/payments.ts'
import { type OperatorPayment, paymentFilters } from '#contract/entities/payment.ts'
import { call } from '#src/api/call.ts'
import { DaysFilter } from '#src/components/days-filter.tsx'
import { type Days, readDays } from '#src/lib/days.ts'
import type { Columns } from './list-export.tsx'
import { OperatorList } from './operator-list.tsx'
import { spanOf } from './list-view.ts'
import { q } from '#src/api/query.ts'
import { useListView } from '#src/components/use-list-view.ts'
import { pageOf, paramsOf, windowOf } from '#src/lib/page-params.ts'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Note } from '#src/ui/note.tsx'
import { FilterField, SearchField, Toolbar } from '#src/ui/toolbar.tsx'
import styles from './operator.module.css'
import { paymentDialogs } from './payment-dialogs.tsx'
import { type PaymentDialog, PaymentItem, useProviderName } from './payment-item.tsx'

const size = 20

/** Filters of the list, as the URL has them. */
interface View extends Days {
  readonly status: string
  readonly provider: string
  readonly project: string
  readonly query: string
  readonly page: number
}

/** Payments of all projects: differences, filters, invoices to mark as paid, refunds. The filters are in the URL. */
export function PaymentsPart() {
  const { t } = useTranslation('operator-money')
  const { view, key, change, to } = useListView(readView, writeView)
  const status = paymentFilters.find((name) => name === view.status)
  const input = {
    ...windowOf(view.page, size),
    ...(status && { status }),
    ...(view.provider !== '' && { provider: view.provider.slice(0, 40) }),
    ...(/^[1-9]\d{0,8}$/.test(view.project) && { project_id: Number(view.project) }),
    ...(view.query !== '' && { query: view.query.slice(0, 100) }),
    ...spanOf(view),
  }
  const isFiltered = [view.status, view.provider, view.project, view.query, view.from, view.to].some(
    (value) => value !== '',
  )
  const list = useQuery({ ...q(payments.list, input), placeholderData: keepPreviousData })
  const [open, setOpen] = useState<{ readonly payment: OperatorPayment; readonly how: PaymentDialog } | null>(null)
  const close = () => setOpen(null)
  const OpenDialog = open && paymentDialogs[open.how]
  return (
    <div className={styles.parts}>
      <Differences />
      <Card title={t('payments.title')} note={t('payments.note')}>
        <Tools view={view} onChange={change} />
        <OperatorList
          query={list}
          label={t('payments.title')}
          failed={t('failed')}
          none={<EmptyState title={t(isFiltered ? 'payments.none' : 'payments.noneYet')} />}
          page={view.page}
          size={size}
          to={to}
          filters={key}
          file={{
            name: 'payments',
            read: (page, sessionId) => call(payments.list, { ...input, ...page }, { sessionId }),
            keyOf: ({ payment_id }) => payment_id,
            columns,
          }}
        >
          {(payment) => <PaymentItem payment={payment} onOpen={(how) => setOpen({ payment, how })} />}
        </OperatorList>
        {OpenDialog && open && <OpenDialog payment={open.payment} onClose={close} />}
      </Card>
    </div>
  )
}

const columns: Columns<OperatorPayment> = {
  payment_id: ({ payment_id }) => payment_id,
  date: ({ date }) => date,
  project_id: ({ project_id }) => project_id,
  project: ({ project_name }) => project_name,
  provider: ({ pay_name }) => pay_name,
  type: ({ type }) => type,
  status: ({ status }) => status,
  amount: ({ amount }) => amount / 100,
  credited: ({ credited }) => credited / 100,
  refunded: ({ refunded }) => refunded / 100,
  disputed: ({ disputed }) => disputed / 100,
  currency: ({ currency }) => currency.toUpperCase(),
}

const readView = (params: URLSearchParams): View => ({
  status: params.get('status') ?? '',
  provider: params.get('provider') ?? '',
  project: params.get('project') ?? '',
  query: params.get('q') ?? '',
  ...readDays(params),
  page: pageOf(params),
})

function writeView(view: View, change: Partial<View>): URLSearchParams {
  const { query, ...rest } = { ...view, page: 1, ...change }
  return paramsOf({ ...rest, q: query })
}

function Tools({ view, onChange }: { readonly view: View; readonly onChange: (change: Partial<View>) => void }) {
  const { t } = useTranslation('operator-money')
  const providers = useQuery(q(payments.providers, {}))
  const nameOf = useProviderName()
  return (
    <Toolbar label={t('payments.tools')}>
      <SearchField
        label={t('payments.search')}
        maxLength={100}
        value={view.query}
        onChange={(query) => onChange({ query })}
      />
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
      <DaysFilter days={view} onChange={onChange} />
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
