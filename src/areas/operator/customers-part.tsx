import { lineAndPlan, usePlanChoices } from './plan-choices.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Customer, customers } from '#contract/areas/operator/customers.ts'
import { call } from '#src/api/call.ts'
import type { Columns } from './list-export.tsx'
import { OperatorList } from './operator-list.tsx'
import { q } from '#src/api/query.ts'
import { useListView } from '#src/components/use-list-view.ts'
import { paths } from '#src/lib/paths.ts'
import { pageOf, paramsOf, windowOf } from '#src/lib/page-params.ts'
import { formatDate, formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Row } from '#src/ui/row-list.tsx'
import { FilterField, SearchField, Toolbar } from '#src/ui/toolbar.tsx'
import { Period } from '#contract/entities/plan.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import styles from './operator.module.css'
import { ReasonDialog } from './reason-dialog.tsx'
import { useShown } from './use-shown.ts'
import { parseMoney } from '#src/lib/money-input.ts'
import { TextField } from '#src/ui/text-field.tsx'

const types = ['bonus', 'payment', 'profit'] as const
type Type = (typeof types)[number]

/** Adds money to a balance of a project, or takes it. */
export function BalanceDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const { t } = useTranslation('operator')
  const { colon } = usePunctuation()
  const language = useLanguage()
  // One key for the dialog: a repeated request changes the balance once.
  const [key] = useState(() => crypto.randomUUID())
  const { project_id, currency, name } = customer
  const form = useWriteForm({
    op: customers.changeBalance,
    area: 'operator',
    values: { balance: 'bonus' as Type, amount: '', reason: '' },
    inputOf: ({ balance, amount, reason }) => ({
      target_project_id: project_id,
      balance,
      amount: parseMoney(amount) ?? Number.NaN,
      reason: reason.trim(),
      idempotency_key: key,
    }),
    refusals: { BalanceTooLow: 'amount', AmountIsZero: 'amount' },
    messages: { amount: t('amount.invalid') },
    onSuccess: onClose,
  })
  const amount = parseMoney(form.values.amount)
  const after = customer[form.values.balance] + (amount ?? 0)
  return (
    <ReasonDialog
      title={t('balance.title', { name })}
      confirm={t(amount !== null && amount < 0 ? 'balance.take' : 'balance.add')}
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <SelectField
        label={t('balance.which')}
        choices={types.map((value) => ({
          value,
          label: t(`balance.${value}`) + colon + formatMoney(customer[value], currency, language),
        }))}
        {...form.field('balance')}
      />
      <TextField
        label={t('balance.amount', { currency: currency.toUpperCase() })}
        hint={
          amount === null
            ? t('balance.amountHint')
            : t('balance.after', { amount: formatMoney(after, currency, language) })
        }
        {...form.field('amount')}
      />
    </ReasonDialog>
  )
}

const size = 20

/** Search and page of the list, as the URL has them. */
interface View {
  readonly query: string
  /** `1`: only projects that owe money. */
  readonly debt: string
  readonly page: number
}

const readView = (params: URLSearchParams): View => ({
  query: params.get('q') ?? '',
  debt: params.get('debt') === '1' ? '1' : '',
  page: pageOf(params),
})

function writeView(view: View, change: Partial<View>): URLSearchParams {
  const { query, debt, page } = { ...view, page: 1, ...change }
  return paramsOf({ q: query, debt, page })
}

/** Projects of all customers: search, balances, gifts. The search is in the URL. */
export function CustomersPart() {
  const { t } = useTranslation('operator')
  const { view, key, change, to } = useListView(readView, writeView)
  const { query, debt, page } = view
  const input = {
    ...windowOf(page, size),
    ...(query === '' ? {} : { query: query.slice(0, 100) }),
    ...(debt === '1' && { debt: true }),
  }
  const found = useQuery({ ...q(customers.search, input), placeholderData: keepPreviousData })
  const [open, setOpen] = useState<{ readonly kind: 'balance' | 'gift'; readonly customer: Customer } | null>(null)
  const close = () => setOpen(null)
  const isShown = useShown()
  return (
    <Card>
      <Toolbar label={t('customers.title')}>
        <SearchField
          label={t('customers.search')}
          value={query}
          maxLength={100}
          onChange={(text) => change({ query: text })}
        />
        {isShown('payments') && (
          <FilterField
            label={t('customers.debtFilter')}
            value={debt}
            choices={[
              { value: '', label: t('customers.all') },
              { value: '1', label: t('customers.withDebt') },
            ]}
            onChange={(value) => change({ debt: value })}
          />
        )}
      </Toolbar>
      <OperatorList
        query={found}
        label={t('customers.title')}
        failed={t('customers.failed')}
        none={<EmptyState title={t('customers.none')} />}
        page={page}
        size={size}
        to={to}
        filters={key}
        file={{
          name: 'projects',
          read: (window, sessionId) => call(customers.search, { ...input, ...window }, { sessionId }),
          keyOf: ({ project_id }) => project_id,
          columns,
        }}
      >
        {(customer) => <CustomerRow customer={customer} onOpen={(kind) => setOpen({ kind, customer })} />}
      </OperatorList>
      {open?.kind === 'balance' && <BalanceDialog customer={open.customer} onClose={close} />}
      {open?.kind === 'gift' && <GiftDialog customer={open.customer} onClose={close} />}
    </Card>
  )
}

const columns: Columns<Customer> = {
  project_id: ({ project_id }) => project_id,
  name: ({ name }) => name,
  owner: ({ owner }) => owner,
  email: ({ email }) => email,
  currency: ({ currency }) => currency.toUpperCase(),
  bonus: ({ bonus }) => bonus / 100,
  payment: ({ payment }) => payment / 100,
  profit: ({ profit }) => profit / 100,
  debt: ({ debt }) => debt / 100,
  plan: ({ plan }) => plan,
  plan_end: ({ plan_end }) => plan_end,
  date_create: ({ date_create }) => date_create,
}

interface RowProps {
  readonly customer: Customer
  readonly onOpen: (kind: 'balance' | 'gift') => void
}

function CustomerRow({ customer, onOpen }: RowProps) {
  const { t } = useTranslation('operator')
  const language = useLanguage()
  const { name, owner, email, currency, plan, plan_end: end, project_id: id } = customer
  const isShown = useShown()
  const [hasPlans, hasMoney] = [isShown('prices'), isShown('payments')]
  const money = (['bonus', 'payment', 'profit'] as const)
    .filter((type) => customer[type] !== 0)
    .map((type) => `${t(`balance.${type}`)} ${formatMoney(customer[type], currency, language)}`)
  if (customer.debt > 0) money.push(t('customers.debt', { amount: formatMoney(customer.debt, currency, language) }))
  const about = [
    [owner, email].filter(Boolean).join(', '),
    ...(hasPlans ? [end ? t('customers.planUntil', { plan, date: formatDate(end, language) }) : plan] : []),
    ...(hasMoney && money.length === 0 ? [t('customers.noMoney')] : hasMoney ? money : []),
  ]
  return (
    <Row
      title={<Link to={paths.operator(`projects/${id}`)}>{`${name} · ${id}`}</Link>}
      about={about.join(' · ')}
      actions={
        <>
          {hasMoney && (
            <Button look="outline" aria-label={t('balance.named', { name })} onClick={() => onOpen('balance')}>
              {t('balance.open')}
            </Button>
          )}
          {hasPlans && (
            <Button look="outline" aria-label={t('gift.named', { name })} onClick={() => onOpen('gift')}>
              {t('gift.open')}
            </Button>
          )}
        </>
      }
    />
  )
}

/** Gives a plan to a project. */
export function GiftDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const { t } = useTranslation('operator')
  const [key] = useState(() => crypto.randomUUID())
  const offered = usePlanChoices()
  const first = offered[0]?.value ?? ''
  const form = useWriteForm({
    op: customers.gift,
    area: 'operator',
    values: { plan: '', period: 'month' as Period, reason: '' },
    inputOf: ({ plan, period, reason }) => {
      return {
        target_project_id: customer.project_id,
        ...lineAndPlan(plan || first),
        period,
        reason: reason.trim(),
        idempotency_key: key,
      }
    },
    wireNames: { line: 'plan', plan_id: 'plan' },
    refusals: { GiftReplacesPlan: 'plan', PlanNotForSale: 'plan' },
    onSuccess: onClose,
  })
  const plan = form.field('plan')
  return (
    <ReasonDialog
      title={t('gift.title', { name: customer.name })}
      confirm={t('gift.open')}
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <p className={styles.quiet}>{t('gift.text')}</p>
      <div className={styles.columns}>
        <SelectField label={t('gift.plan')} choices={offered} {...plan} value={plan.value || first} />
        <SelectField
          label={t('gift.period')}
          choices={Period.options.map((value) => ({ value, label: t(`gift.${value}`) }))}
          {...form.field('period')}
        />
      </div>
    </ReasonDialog>
  )
}
