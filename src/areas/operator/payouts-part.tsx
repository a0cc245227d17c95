import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type OperatorPayoutMethod, payouts, type QueuedPayout } from '#contract/areas/operator/payouts.ts'
import { call } from '#src/api/call.ts'
import { q } from '#src/api/query.ts'
import type { Columns } from './list-export.tsx'
import { OperatorList } from './operator-list.tsx'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { useListView } from '#src/components/use-list-view.ts'
import { PayoutStatus } from '#contract/entities/money.ts'
import { pageOf, paramsOf, windowOf } from '#src/lib/page-params.ts'
import { currencyCodes } from '#contract/entities/currencies.ts'
import { currencyName, formatMoney, formatPercent } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './operator.module.css'
import { moneyText, parseMoney } from '#src/lib/money-input.ts'
import { FilterField, Toolbar } from '#src/ui/toolbar.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { ChangeDialog } from './change-dialog.tsx'

interface ResolveProps {
  readonly payout: QueuedPayout
  readonly onClose: () => void
}

const minorOf = (text: string): number => parseMoney(text) ?? Number.NaN

/** Marks a payout as sent, with the reference of the transfer. */
function SentDialog({ payout: { payout_id }, onClose }: ResolveProps) {
  const { t } = useTranslation('operator-money')
  return (
    <ChangeDialog
      title={t('payouts.sentTitle')}
      confirm={t('payouts.sent')}
      op={payouts.sent}
      values={{ reference: '' }}
      inputOf={({ reference }) => ({ payout_id, reference: reference.trim() })}
      messages={{ reference: t('payouts.referenceMissing') }}
      onClose={onClose}
    >
      {({ field }) => <TextField label={t('payouts.reference')} limit={200} {...field('reference')} />}
    </ChangeDialog>
  )
}

/** Refuses a payout; its amount returns to the project. */
function RefuseDialog({ payout: { payout_id }, onClose }: ResolveProps) {
  const { t } = useTranslation('operator-money')
  return (
    <ChangeDialog
      title={t('payouts.refuseTitle')}
      confirm={t('payouts.refuse')}
      op={payouts.refuse}
      values={{}}
      inputOf={() => ({ payout_id })}
      onClose={onClose}
    >
      {() => <p>{t('payouts.refuseText')}</p>}
    </ChangeDialog>
  )
}

const newWay = {
  title: '',
  description: '',
  currency: currencyCodes[0],
  commission: 0,
  commission_type: 'percent',
  min_amount: 1000,
  max_amount: 100_000,
  active: true,
} as const

/** Adds a way to pay out, or changes one. */
function WayDialog({ way, onClose }: { readonly way: OperatorPayoutMethod | null; readonly onClose: () => void }) {
  const { t } = useTranslation('operator-money')
  const language = useLanguage()
  const known: Omit<OperatorPayoutMethod, 'way_id'> = way ?? newWay
  const choices = (key: string, names: readonly string[]) =>
    names.map((value) => ({ value, label: t(`${key}.${value}`) }))
  return (
    <ChangeDialog
      title={t(way ? 'ways.change' : 'ways.add')}
      op={payouts.setWay}
      values={{
        title: known.title,
        description: known.description,
        currency: known.currency as string,
        commission_type: known.commission_type as string,
        active: known.active ? 'on' : 'off',
        commission: moneyText(known.commission),
        min_amount: moneyText(known.min_amount),
        max_amount: moneyText(known.max_amount),
      }}
      inputOf={(values) => ({
        ...(way && { way_id: way.way_id }),
        title: values.title.trim(),
        description: values.description.trim(),
        currency: currencyCodes.find((code) => code === values.currency) ?? known.currency,
        commission_type: values.commission_type === 'fix' ? ('fix' as const) : ('percent' as const),
        active: values.active === 'on',
        commission: minorOf(values.commission),
        min_amount: minorOf(values.min_amount),
        max_amount: minorOf(values.max_amount),
      })}
      messages={{
        title: t('ways.nameMissing'),
        commission: t('amountInvalid'),
        min_amount: t('amountInvalid'),
        max_amount: t('amountInvalid'),
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <TextField label={t('ways.name')} limit={100} {...field('title')} />
          <TextField label={t('ways.description')} limit={500} {...field('description')} />
          <div className={styles.columns}>
            <SelectField
              label={t('ways.currency')}
              choices={currencyCodes.map((value) => ({ value, label: currencyName(value, language) }))}
              {...field('currency')}
            />
            <SelectField label={t('ways.state')} choices={choices('ways', ['on', 'off'])} {...field('active')} />
            <SelectField
              label={t('ways.type')}
              choices={choices('ways.types', ['percent', 'fix'])}
              {...field('commission_type')}
            />
            <TextField label={t('ways.commission')} inputMode="decimal" {...field('commission')} />
            <TextField label={t('ways.min')} inputMode="decimal" {...field('min_amount')} />
            <TextField label={t('ways.max')} inputMode="decimal" {...field('max_amount')} />
          </div>
        </>
      )}
    </ChangeDialog>
  )
}

/** Sets the share of payments that inviters earn. */
function ReferralDialog({ percent, onClose }: { readonly percent: number; readonly onClose: () => void }) {
  const { t } = useTranslation('operator-money')
  return (
    <ChangeDialog
      title={t('referral.change')}
      op={payouts.setReferral}
      values={{ percent: moneyText(Math.round(percent * 100)) }}
      inputOf={(values) => ({ percent: minorOf(values.percent) / 100 })}
      messages={{ percent: t('referral.invalid') }}
      onClose={onClose}
    >
      {({ field }) => <TextField label={t('referral.percent')} inputMode="decimal" {...field('percent')} />}
    </ChangeDialog>
  )
}

const size = 50

/** Payouts of all projects: queue, ways, and the referral percent. */
export function PayoutsPart() {
  return (
    <div className={styles.parts}>
      <QueueCard />
      <WaysCard />
      <ReferralCard />
    </div>
  )
}

/** Status and page of the queue, as the URL has them. */
interface View {
  readonly status: string
  readonly page: number
}

const readView = (params: URLSearchParams): View => ({ status: params.get('status') ?? '', page: pageOf(params) })

const writeView = (view: View, change: Partial<View>): URLSearchParams => paramsOf({ ...view, page: 1, ...change })

function QueueCard() {
  const { t } = useTranslation('operator-money')
  const { view, change, to } = useListView(readView, writeView)
  const status = PayoutStatus.options.find((name) => name === view.status)
  const input = { ...windowOf(view.page, size), ...(status && { status }) }
  const list = useQuery({ ...q(payouts.list, input), placeholderData: keepPreviousData })
  const [open, setOpen] = useState<{ payout: QueuedPayout; how: 'sent' | 'refuse' } | null>(null)
  return (
    <Card title={t('payouts.queue')} note={t('payouts.note')}>
      <Toolbar label={t('payouts.tools')}>
        <FilterField
          label={t('payments.state')}
          value={view.status}
          choices={[
            { value: '', label: t('payments.anyState') },
            ...PayoutStatus.options.map((value) => ({ value, label: t(`payouts.status.${value}`) })),
          ]}
          onChange={(value) => change({ status: value })}
        />
      </Toolbar>
      <OperatorList
        query={list}
        label={t('payouts.queue')}
        failed={t('failed')}
        none={<p className={styles.quiet}>{t('payouts.none')}</p>}
        height={160}
        page={view.page}
        size={size}
        to={to}
        filters={view.status}
        file={{
          name: 'payouts',
          read: (page, sessionId) => call(payouts.list, { ...input, ...page }, { sessionId }),
          keyOf: ({ payout_id }) => payout_id,
          columns,
        }}
      >
        {(payout) => <PayoutRow payout={payout} onOpen={(how) => setOpen({ payout, how })} />}
      </OperatorList>
      {open?.how === 'sent' && <SentDialog payout={open.payout} onClose={() => setOpen(null)} />}
      {open?.how === 'refuse' && <RefuseDialog payout={open.payout} onClose={() => setOpen(null)} />}
    </Card>
  )
}

const columns: Columns<QueuedPayout> = {
  payout_id: ({ payout_id }) => payout_id,
  date_create: ({ date_create }) => date_create,
  date_end: ({ date_end }) => date_end,
  project_id: ({ project_id }) => project_id,
  project: ({ project_name }) => project_name,
  way: ({ way }) => way,
  wallet: ({ wallet }) => wallet,
  status: ({ status }) => status,
  amount: ({ amount }) => amount / 100,
  commission: ({ commission }) => commission / 100,
  currency: ({ currency }) => currency.toUpperCase(),
  reference: ({ reference }) => reference,
  reason: ({ reason }) => reason,
}

function PayoutRow({ payout, onOpen }: { payout: QueuedPayout; onOpen: (how: 'sent' | 'refuse') => void }) {
  const { t } = useTranslation('operator-money')
  const language = useLanguage()
  const { amount, commission, currency, project_name, project_id, way, wallet, status, reference } = payout
  const net = t('payouts.net', { amount: formatMoney(amount - commission, currency, language) })
  const facts = [`${project_name} (${project_id})`, way, wallet, net, reference ?? ''].filter(Boolean).join(' · ')
  return (
    <Row
      title={<MoneyAmount amountMinor={amount} currency={currency} />}
      about={
        <>
          {facts} · <DateStamp iso={payout.date_create} />
        </>
      }
      actions={
        status === 'waiting' ? (
          <>
            <Button onClick={() => onOpen('sent')}>{t('payouts.sent')}</Button>
            <Button look="outline" onClick={() => onOpen('refuse')}>
              {t('payouts.refuse')}
            </Button>
          </>
        ) : (
          <Badge tone={status === 'sent' ? 'ok' : 'neutral'}>{t(`payouts.status.${status}`)}</Badge>
        )
      }
    />
  )
}

function WaysCard() {
  const { t } = useTranslation('operator-money')
  const ways = useQuery(q(payouts.ways, {}))
  const language = useLanguage()
  const [open, setOpen] = useState<OperatorPayoutMethod | 'new' | null>(null)
  const factsOf = (way: OperatorPayoutMethod) => {
    const money = (minor: number) => formatMoney(minor, way.currency, language)
    const fee =
      way.commission_type === 'percent' ? formatPercent(way.commission / 100, language) : money(way.commission)
    return t('ways.facts', { fee, min: money(way.min_amount), max: money(way.max_amount) })
  }
  return (
    <Card
      title={t('ways.title')}
      note={t('ways.note')}
      actions={
        <Button look="outline" onClick={() => setOpen('new')}>
          {t('ways.add')}
        </Button>
      }
    >
      <QueryPart query={ways} failed={t('failed')} skeleton={<Skeleton height={90} />}>
        {({ results }) => (
          <RowList label={t('ways.title')}>
            {results.map((way) => (
              <Row
                key={way.way_id}
                title={way.title}
                about={[way.description, factsOf(way)].filter(Boolean).join(' · ')}
                actions={
                  <>
                    {!way.active && <Badge>{t('ways.off')}</Badge>}
                    <Button look="outline" onClick={() => setOpen(way)}>
                      {t('ways.change')}
                    </Button>
                  </>
                }
              />
            ))}
          </RowList>
        )}
      </QueryPart>
      {open && <WayDialog way={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </Card>
  )
}

function ReferralCard() {
  const { t } = useTranslation('operator-money')
  const language = useLanguage()
  const query = useQuery(q(payouts.referral, {}))
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title={t('referral.title')}
      note={t('referral.note')}
      actions={
        <Button look="outline" isOff={!query.data} onClick={() => setOpen(true)}>
          {t('referral.change')}
        </Button>
      }
    >
      <QueryPart query={query} failed={t('failed')} skeleton={<Skeleton height={30} />}>
        {({ percent }) => <p>{formatPercent(percent, language)}</p>}
      </QueryPart>
      {isOpen && query.data && <ReferralDialog percent={query.data.percent} onClose={() => setOpen(false)} />}
    </Card>
  )
}
