import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Payout, payouts, type PayoutMethod } from '#contract/areas/billing/payouts.ts'
import type { ProjectInfo } from '#contract/areas/projects/projects.ts'
import { q, useWrite } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatMoney, formatPercent } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './billing.module.css'
import { OwnerPart } from './owner-part.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { moneyText, parseMoney } from '#src/lib/money-input.ts'
import { randomId } from '#src/session/wire.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { TextField } from '#src/ui/text-field.tsx'

/** The Payouts tab: available amount, ways with their fees, and requests. */
export function PayoutsPart() {
  return (
    <OwnerPart>
      {(project) => (
        <>
          <AvailableCard project={project} />
          <RequestsCard projectId={project.project_id} />
        </>
      )}
    </OwnerPart>
  )
}

function AvailableCard({ project }: { readonly project: ProjectInfo['data'] }) {
  const { t } = useTranslation('payouts')
  const { project_id, currency, balance_profit: available } = project
  const ways = useQuery(q(payouts.prepare, { project_id }))
  const [way, setWay] = useState<PayoutMethod | null>(null)
  return (
    <Card title={t('available')} note={t('availableText')}>
      <p className={styles.total}>
        <MoneyAmount amountMinor={available} currency={currency} />
      </p>
      <QueryPart query={ways} failed={t('failed')} skeleton={<Skeleton height={90} />}>
        {({ results }) =>
          results.length === 0 ? (
            <p className={styles.quiet}>{t('noWays')}</p>
          ) : (
            <RowList label={t('ways')}>
              {results.map((one) => (
                <WayRow
                  key={one.payout_system_account_id}
                  way={one}
                  available={available}
                  onRequest={() => setWay(one)}
                />
              ))}
            </RowList>
          )
        }
      </QueryPart>
      {way && <PayoutDialog projectId={project_id} way={way} available={available} onClose={() => setWay(null)} />}
    </Card>
  )
}

interface WayProps {
  readonly way: PayoutMethod
  readonly available: number
  readonly onRequest: () => void
}

function WayRow({ way, available, onRequest }: WayProps) {
  const { t } = useTranslation('payouts')
  const language = useLanguage()
  const money = (minor: number) => formatMoney(minor, way.currency, language)
  const fee = way.commission_type === 'percent' ? formatPercent(way.commission, language) : money(way.commission)
  const facts = t('wayFacts', { fee, min: money(way.min_amount), max: money(way.max_amount) })
  const isShort = available < way.min_amount
  return (
    <Row
      title={way.title}
      about={[way.description, facts].filter(Boolean).join(' · ')}
      actions={
        <Button look="outline" isOff={isShort} title={isShort ? t('tooLittle') : undefined} onClick={onRequest}>
          {t('request')}
        </Button>
      }
    >
      {isShort && <span className={styles.quiet}>{t('tooLittle')}</span>}
    </Row>
  )
}

const tones: Readonly<Record<Payout['status'], Tone>> = {
  waiting: 'accent',
  sent: 'ok',
  refused: 'warn',
  cancelled: 'neutral',
}

function RequestsCard({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('payouts')
  const list = useQuery(q(payouts.list, { project_id: projectId, limit: 100 }))
  const [ending, setEnding] = useState<Payout | null>(null)
  return (
    <Card title={t('requests')}>
      <QueryPart query={list} failed={t('failed')} skeleton={<Skeleton height={90} />}>
        {({ results }) =>
          results.length === 0 ? (
            <p className={styles.quiet}>{t('none')}</p>
          ) : (
            <RowList label={t('requests')}>
              {results.map((one) => (
                <Row
                  key={one.payout_id}
                  title={<MoneyAmount amountMinor={one.amount} currency={one.currency} />}
                  about={<RequestFacts payout={one} />}
                  actions={
                    <>
                      <Badge tone={tones[one.status]}>{t(`status.${one.status}`)}</Badge>
                      {one.status === 'waiting' && (
                        <Button look="quiet" onClick={() => setEnding(one)}>
                          {t('cancel')}
                        </Button>
                      )}
                    </>
                  }
                />
              ))}
            </RowList>
          )
        }
      </QueryPart>
      {ending && <CancelDialog projectId={projectId} payout={ending} onClose={() => setEnding(null)} />}
    </Card>
  )
}

function RequestFacts({ payout }: { readonly payout: Payout }) {
  const { t } = useTranslation('payouts')
  const language = useLanguage()
  const { title, wallet, reference, reason, amount, commission, currency } = payout
  const facts = [
    title,
    wallet,
    t('received', { amount: formatMoney(amount - commission, currency, language) }),
    ...(reference ? [t('reference', { reference })] : []),
    ...(reason ? [t('reason', { reason })] : []),
  ]
  return (
    <>
      {facts.join(' · ')} · <DateStamp iso={payout.date_create} />
    </>
  )
}

interface CancelProps {
  readonly projectId: number
  readonly payout: Payout
  readonly onClose: () => void
}

function CancelDialog({ projectId, payout, onClose }: CancelProps) {
  const { t } = useTranslation('payouts')
  const why = useFailureText('payouts')
  const write = useWrite(payouts.cancel, { onSuccess: onClose })
  return (
    <ConfirmDialog
      title={t('cancelTitle')}
      confirm={t('cancelConfirm')}
      keep={t('keep')}
      isDanger
      isBusy={write.isPending}
      problem={write.error && why(write.error)}
      onConfirm={() => write.mutate({ project_id: projectId, payout_id: payout.payout_id })}
      onClose={onClose}
    >
      {t('cancelText')}
    </ConfirmDialog>
  )
}

interface Props {
  readonly projectId: number
  readonly way: PayoutMethod
  /** Earned balance, minor units. */
  readonly available: number
  readonly onClose: () => void
}

/** Fee of an amount in minor units, rounded up as the service does. */
const feeOf = ({ commission, commission_type }: PayoutMethod, amount: number): number =>
  commission_type === 'fix' ? commission : Math.ceil((amount * Math.round(commission * 100)) / 10_000)

/** Requests a payout: amount and account, with the amount that the recipient gets. */
function PayoutDialog({ projectId, way, available, onClose }: Props) {
  const { t } = useTranslation('payouts')
  const language = useLanguage()
  const why = useFailureText('payouts')
  const most = Math.min(available, way.max_amount)
  // A repeated request after a lost response creates one payout.
  const [key] = useState(randomId)
  const money = (minor: number) => formatMoney(minor, way.currency, language)
  const limits = t('limits', { min: money(way.min_amount), max: money(most) })
  const isAllowed = (amount: number | null): amount is number =>
    amount !== null && amount >= way.min_amount && amount <= most
  const form = useWriteForm({
    op: payouts.create,
    area: 'payouts',
    mode: 'onChange',
    values: { amount: moneyText(most), wallet: '' },
    inputOf: (values) => {
      const amount = parseMoney(values.amount) ?? 0
      return {
        project_id: projectId,
        payout_system_account_id: way.payout_system_account_id,
        amount,
        wallet_value: values.wallet.trim(),
        idempotency_key: `${key}-${amount}`,
      }
    },
    wireNames: { wallet_value: 'wallet' },
    rules: (values) => ({ amount: isAllowed(parseMoney(values.amount)) ? undefined : limits }),
    onSuccess: onClose,
  })
  const amount = parseMoney(form.values.amount)
  const isReady = isAllowed(amount) && form.values.wallet.trim().length >= 3
  return (
    <Dialog title={t('dialog', { way: way.title })} onClose={() => form.isBusy || onClose()}>
      <DialogForm
        problem={form.problem && why(form.problem)}
        cancel={t('keep')}
        submit={t('send')}
        isBusy={form.isBusy}
        isOff={!isReady}
        onSubmit={form.submit}
        onClose={onClose}
      >
        <TextField label={t('amount')} inputMode="decimal" hint={limits} {...form.field('amount')} />
        <TextField label={t('wallet')} hint={t('walletHint')} autoComplete="off" {...form.field('wallet')} />
        <output>{isAllowed(amount) && t('received', { amount: money(amount - feeOf(way, amount)) })}</output>
      </DialogForm>
    </Dialog>
  )
}
