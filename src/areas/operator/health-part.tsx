import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { health, type OperatorHealth, type RefusedReceipt, type TroubledJob } from '#contract/areas/operator/health.ts'
import { payProviderFacts } from '#contract/entities/pay-provider-facts.ts'
import { q } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatMoney, formatNumber } from '#src/lib/format.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './operator.module.css'
import { useProviderName } from './payment-item.tsx'
import { SystemCard } from './system-card.tsx'
import { useState } from 'react'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { Button } from '#src/ui/button.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { useShown } from './use-shown.ts'

/** The system, failing jobs, a disturbed bus, the ledger against its sums, payment providers, and closing receipts. */
export function HealthPart() {
  const { t } = useTranslation('operator')
  const hasMoney = useShown()('payments')
  const query = useQuery(q(health.get, {}))
  return (
    <div className={styles.parts}>
      <QueryPart query={query} failed={t('health.failed')} skeleton={<Skeleton height={280} />}>
        {({ providers, receipts, jobs, bus, system, ledger }) => (
          <>
            <SystemCard system={system} failing={jobs.length} />
            {jobs.length > 0 && <JobsCard jobs={jobs} />}
            {(bus.lost > 0 || !bus.connected) && (
              <Card title={t('health.bus')}>
                {!bus.connected && <Note tone="warn">{t('health.busDown')}</Note>}
                {bus.date_loss !== null && (
                  <Note tone="warn">
                    {t('health.busLost', { count: bus.lost })} <DateStamp iso={bus.date_loss} />
                  </Note>
                )}
              </Card>
            )}
            {hasMoney && <MoneyCards ledger={ledger} providers={providers} />}
            {providers.some(({ name }) => payProviderFacts(name)?.sendsReceipts) && (
              <ReceiptsCard receipts={receipts} />
            )}
          </>
        )}
      </QueryPart>
    </div>
  )
}

/** The ledger against its sums, and payment providers. */
function MoneyCards({ ledger, providers }: Pick<OperatorHealth, 'ledger' | 'providers'>) {
  const { t } = useTranslation('operator')
  const language = useLanguage()
  const { colon, list } = usePunctuation()
  const nameOf = useProviderName()
  const { transactions, unbalanced, wallets, differing } = ledger
  return (
    <>
      <Card title={t('health.ledger')} note={t('health.ledgerText')}>
        <FactList>
          <Fact name={t('health.transactions')}>{formatNumber(transactions, language)}</Fact>
          <Fact name={t('health.wallets')}>{formatNumber(wallets, language)}</Fact>
        </FactList>
        <Note tone={unbalanced.length + differing.length === 0 ? 'ok' : 'warn'}>
          {unbalanced.length > 0 && t('health.unbalanced', { ids: unbalanced.join(list) })}{' '}
          {differing.length > 0 && t('health.differing', { ids: differing.join(list) })}
          {unbalanced.length + differing.length === 0 && t('health.fine')}
        </Note>
      </Card>
      <Card title={t('health.providers')}>
        {providers.length === 0 && <p>{t('health.noProviders')}</p>}
        <RowList label={t('health.providers')}>
          {providers.map(({ name, date_event, date_reconciled, mismatches }) => (
            <Row
              key={name}
              title={nameOf(name)}
              about={
                name === 'invoice' ? (
                  t('health.byHand')
                ) : (
                  <>
                    {t('health.lastMessage') + colon}
                    {date_event ? <DateStamp iso={date_event} /> : t('health.never')} ·{' '}
                    {t('health.lastReconciled') + colon}
                    {date_reconciled ? <DateStamp iso={date_reconciled} /> : t('health.never')}
                  </>
                )
              }
              actions={mismatches > 0 && <Badge tone="warn">{t('health.mismatches', { count: mismatches })}</Badge>}
            />
          ))}
        </RowList>
      </Card>
    </>
  )
}

/** Closing receipts by 54-FZ: how many wait, and the refused ones with a decision for each. */
function ReceiptsCard({ receipts: { waiting, refused } }: Pick<OperatorHealth, 'receipts'>) {
  const { t } = useTranslation('operator-money')
  const language = useLanguage()
  const [open, setOpen] = useState<RefusedReceipt | null>(null)
  return (
    <Card title={t('closing.title')} note={t('closing.note')}>
      <FactList>
        <Fact name={t('closing.waiting')}>{formatNumber(waiting, language)}</Fact>
      </FactList>
      {refused.length > 0 && (
        <>
          <Note tone="warn">{t('closing.refused', { count: refused.length })}</Note>
          <RowList label={t('closing.title')}>
            {refused.map((receipt) => (
              <ReceiptRow key={receipt.receipt_id} receipt={receipt} onOpen={() => setOpen(receipt)} />
            ))}
          </RowList>
        </>
      )}
      {open && <ReceiptDialog receipt={open} onClose={() => setOpen(null)} />}
    </Card>
  )
}

function ReceiptRow({ receipt, onOpen }: { readonly receipt: RefusedReceipt; readonly onOpen: () => void }) {
  const { t, i18n } = useTranslation('operator-money')
  const { receipt_id: id, payment_id, project_id, project_name, title, amount, reason, date } = receipt
  const key = `closing.reasons.${reason}`
  const why = i18n.exists(`operator-money:${key}`) ? t(key as 'closing.reasons.canceled') : reason
  const facts = [t('payments.number', { id: payment_id }), `${project_name} (${project_id})`, title, why]
  return (
    <Row
      title={<MoneyAmount amountMinor={amount} currency="rub" />}
      about={
        <>
          {facts.filter(Boolean).join(' · ')} · <DateStamp iso={date} />
        </>
      }
      actions={
        <Button look="outline" aria-label={t('closing.resolveNamed', { id })} onClick={onOpen}>
          {t('payments.resolve')}
        </Button>
      }
    />
  )
}

interface DialogProps {
  readonly receipt: RefusedReceipt
  readonly onClose: () => void
}

/** Sends a refused receipt again, or notes that it was made elsewhere. */
function ReceiptDialog({ receipt: { receipt_id, amount }, onClose }: DialogProps) {
  const { t } = useTranslation('operator-money')
  const language = useLanguage()
  return (
    <ChangeDialog
      title={t('closing.dialog', { amount: formatMoney(amount, 'rub', language) })}
      confirm={t('payments.resolve')}
      op={health.resolveReceipt}
      values={{ decision: 'again' }}
      inputOf={({ decision }) => ({ receipt_id, again: decision === 'again' })}
      onClose={onClose}
    >
      {({ field }) => (
        <SelectField
          label={t('payments.decision')}
          choices={[
            { value: 'again', label: t('closing.again') },
            { value: 'hand', label: t('closing.byHand') },
          ]}
          {...field('decision')}
        />
      )}
    </ChangeDialog>
  )
}

type Act = 'run' | 'giveUp'

interface Change {
  readonly job: TroubledJob
  readonly act: Act
}

/** Jobs that are parked or fail repeatedly, with their errors. */
function JobsCard({ jobs }: { readonly jobs: readonly TroubledJob[] }) {
  const { t } = useTranslation('operator')
  const [open, setOpen] = useState<Change | null>(null)
  return (
    <Card title={t('jobs.title')} note={t('jobs.note')}>
      <RowList label={t('jobs.title')}>
        {jobs.map((job) => (
          <JobRow key={`${job.kind} ${job.key}`} job={job} onOpen={(act) => setOpen({ job, act })} />
        ))}
      </RowList>
      {open && <JobDialog {...open} onClose={() => setOpen(null)} />}
    </Card>
  )
}

/** Returns the name of a job: the text of its kind, or the kind itself, and its key. */
function useJobName(): (job: TroubledJob) => string {
  const { t, i18n } = useTranslation('operator')
  return ({ kind, key }) => {
    const path = `jobs.kinds.${kind}`
    const name = i18n.exists(`operator:${path}`) ? t(path as 'jobs.kinds.jobs.missing') : kind
    return [name, key].filter(Boolean).join(' ')
  }
}

function JobRow({ job, onOpen }: { readonly job: TroubledJob; readonly onOpen: (act: Act) => void }) {
  const { t } = useTranslation('operator')
  const { colon } = usePunctuation()
  const name = useJobName()(job)
  const { attempts, error, parked, running, periodic, date_next } = job
  return (
    <Row
      title={name}
      about={
        <>
          {t('jobs.attempts', { count: attempts })}
          {date_next && (
            <>
              {' · '}
              {t('jobs.next') + colon}
              <DateStamp iso={date_next} />
            </>
          )}
        </>
      }
      actions={
        running ? (
          <Badge>{t('jobs.running')}</Badge>
        ) : (
          <>
            {parked && <Badge tone="warn">{t('jobs.parked')}</Badge>}
            <Button look="outline" aria-label={t('jobs.runNamed', { name })} onClick={() => onOpen('run')}>
              {t('jobs.run')}
            </Button>
            {!periodic && (
              <Button look="outline" aria-label={t('jobs.giveUpNamed', { name })} onClick={() => onOpen('giveUp')}>
                {t('jobs.giveUp')}
              </Button>
            )}
          </>
        )
      }
    >
      <code className={styles.quiet}>{error}</code>
    </Row>
  )
}

/** Runs a job now, or gives it up. */
function JobDialog({ job, act, onClose }: Change & { readonly onClose: () => void }) {
  const { t } = useTranslation('operator')
  const name = useJobName()(job)
  const form = useWriteForm({
    op: act === 'run' ? health.runJob : health.giveUpJob,
    area: 'operator',
    values: { reason: '' },
    inputOf: ({ reason }) => ({ kind: job.kind, key: job.key, reason: reason.trim() }),
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={t(`jobs.${act}Named`, { name })}
      confirm={t(`jobs.${act}`)}
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <p>{t(`jobs.${act}Text`)}</p>
    </ReasonDialog>
  )
}
