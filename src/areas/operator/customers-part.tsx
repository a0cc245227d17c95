import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { type Customer, customers } from '#contract/areas/operator/customers.ts'
import { q } from '#src/api/query.ts'
import { Pager } from '#src/components/pager.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatDate, formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { SearchField, Toolbar } from '#src/ui/toolbar.tsx'
import { BalanceDialog } from './balance-dialog.tsx'
import { GiftDialog } from './gift-dialog.tsx'

const size = 20

/** Projects of all customers: search, balances, gifts. The search is in the URL. */
export function CustomersPart() {
  const { t } = useTranslation('operator')
  const [params, setParams] = useSearchParams()
  const query = params.get('q') ?? ''
  const page = Math.max(1, Number(params.get('page')) || 1)
  const input = { limit: size, offset: (page - 1) * size, ...(query === '' ? {} : { query: query.slice(0, 100) }) }
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
          onChange={(text) => setParams(text === '' ? {} : { q: text }, { replace: true })}
        />
      </Toolbar>
      <QueryPart query={found} failed={t('customers.failed')} skeleton={<Skeleton height={360} />}>
        {({ results, total }) => (
          <>
            {results.length === 0 && <EmptyState title={t('customers.none')} />}
            <RowList label={t('customers.title')}>
              {results.map((customer) => (
                <CustomerRow
                  key={customer.project_id}
                  customer={customer}
                  onOpen={(kind) => setOpen({ kind, customer })}
                />
              ))}
            </RowList>
            <Pager
              page={page}
              size={size}
              total={total}
              to={(to) => ({
                search: new URLSearchParams({ ...(query && { q: query }), page: String(to) }).toString(),
              })}
            />
          </>
        )}
      </QueryPart>
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
