import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Customer, customers } from '#contract/areas/operator/customers.ts'
import { q } from '#src/api/query.ts'
import { PagedList } from '#src/components/paged-list.tsx'
import { useListView } from '#src/components/use-list-view.ts'
import { pageOf, paramsOf, windowOf } from '#src/lib/page-params.ts'
import { formatDate, formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { SearchField, Toolbar } from '#src/ui/toolbar.tsx'
import { BalanceDialog } from './balance-dialog.tsx'
import { GiftDialog } from './gift-dialog.tsx'

const size = 20

/** Search and page of the list, as the URL has them. */
interface View {
  readonly query: string
  readonly page: number
}

const readView = (params: URLSearchParams): View => ({ query: params.get('q') ?? '', page: pageOf(params) })

function writeView(view: View, change: Partial<View>): URLSearchParams {
  const { query, page } = { ...view, page: 1, ...change }
  return paramsOf({ q: query, page })
}

/** Projects of all customers: search, balances, gifts. The search is in the URL. */
export function CustomersPart() {
  const { t } = useTranslation('operator')
  const { view, change, to } = useListView(readView, writeView)
  const { query, page } = view
  const input = { ...windowOf(page, size), ...(query === '' ? {} : { query: query.slice(0, 100) }) }
  const found = useQuery({ ...q(customers.search, input), placeholderData: keepPreviousData })
  const [open, setOpen] = useState<{ readonly kind: 'balance' | 'gift'; readonly customer: Customer } | null>(null)
  const close = () => setOpen(null)
  return (
    <Card>
      <Toolbar label={t('customers.title')}>
        <SearchField
          label={t('customers.search')}
          value={query}
          maxLength={100}
          onChange={(text) => change({ query: text })}
        />
      </Toolbar>
      <PagedList
        query={found}
        failed={t('customers.failed')}
        height={360}
        page={page}
        size={size}
        to={to}
        empty={<EmptyState title={t('customers.none')} />}
      >
        {(rows) => (
          <RowList label={t('customers.title')}>
            {rows.map((customer) => (
              <CustomerRow
                key={customer.project_id}
                customer={customer}
                onOpen={(kind) => setOpen({ kind, customer })}
              />
            ))}
          </RowList>
        )}
      </PagedList>
      {open?.kind === 'balance' && <BalanceDialog customer={open.customer} onClose={close} />}
      {open?.kind === 'gift' && <GiftDialog customer={open.customer} onClose={close} />}
    </Card>
  )
}

interface RowProps {
  readonly customer: Customer
  readonly onOpen: (kind: 'balance' | 'gift') => void
}

function CustomerRow({ customer, onOpen }: RowProps) {
  const { t } = useTranslation('operator')
  const language = useLanguage()
  const { name, owner, email, currency, plan, plan_end: end, project_id: id } = customer
  const money = (['bonus', 'payment', 'profit'] as const)
    .filter((type) => customer[type] !== 0)
    .map((type) => `${t(`balance.${type}`)} ${formatMoney(customer[type], currency, language)}`)
  if (customer.debt > 0) money.push(t('customers.debt', { amount: formatMoney(customer.debt, currency, language) }))
  const about = [
    [owner, email].filter(Boolean).join(', '),
    end ? t('customers.planUntil', { plan, date: formatDate(end, language) }) : plan,
    ...(money.length > 0 ? money : [t('customers.noMoney')]),
  ]
  return (
    <Row
      title={`${name} · ${id}`}
      about={about.join(' · ')}
      actions={
        <>
          <Button look="outline" aria-label={t('balance.named', { name })} onClick={() => onOpen('balance')}>
            {t('balance.open')}
          </Button>
          <Button look="outline" aria-label={t('gift.named', { name })} onClick={() => onOpen('gift')}>
            {t('gift.open')}
          </Button>
        </>
      }
    />
  )
}
