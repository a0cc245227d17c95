import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { type CustomerPage, customers } from '#contract/areas/operator/customers.ts'
import { ledger } from '#contract/areas/operator/ledger.ts'
import { payments } from '#contract/areas/operator/payments.ts'
import type { OperatorPayment } from '#contract/entities/payment.ts'
import { q } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatDate } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextArea } from '#src/ui/text-area.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { BalanceDialog, GiftDialog } from './customers-part.tsx'
import { MovementRow } from './ledger-part.tsx'
import styles from './operator.module.css'
import { paymentDialogs } from './payment-dialogs.tsx'
import { type PaymentDialog, PaymentItem } from './payment-item.tsx'
import { PlanChangeDialog } from './plan-change-dialog.tsx'
import { useShown } from './use-shown.ts'

const balances = ['bonus', 'payment', 'profit'] as const

const acts = ['balance', 'gift', 'plan', 'suspend'] as const
type Act = (typeof acts)[number]

/** One project for operators: what it has, what it paid, and what can be done. */
export function CustomerPart() {
  const { t } = useTranslation('operator-desk')
  const id = Number(useParams()['customerId'])
  const isKnown = Number.isSafeInteger(id) && id > 0
  const query = useQuery({ ...q(customers.get, { target_project_id: id }), enabled: isKnown })
  const isShown = useShown()
  if (!isKnown) return <EmptyState title={t('customer.missing')} />
  return (
    <div className={styles.parts}>
      <QueryPart query={query} failed={t('customer.failed')} skeleton={<Skeleton height={480} />}>
        {(customer) => (
          <>
            <HeadCard customer={customer} />
            {isShown('prices') && <PlansCard customer={customer} />}
            {isShown('payments') && (
              <>
                <PaymentsCard id={id} />
                <MovementsCard id={id} />
                <PapersCard customer={customer} />
              </>
            )}
            <NotesCard customer={customer} />
          </>
        )}
      </QueryPart>
    </div>
  )
}

interface Props {
  readonly customer: CustomerPage
}

function HeadCard({ customer }: Props) {
  const { t } = useTranslation(['operator-desk', 'operator', 'common'])
  const { stop } = usePunctuation()
  const [open, setOpen] = useState<Act | null>(null)
  const close = () => setOpen(null)
  const isShown = useShown()
  const isOffered = (act: Act) => act === 'suspend' || isShown(act === 'balance' ? 'payments' : 'prices')
  const textOf = {
    balance: t('operator:balance.open'),
    gift: t('operator:gift.open'),
    plan: t('planChange.open'),
    suspend: t(customer.suspended ? 'customer.resume' : 'customer.suspend'),
  }
  const { name, project_id, currency, suspended, members, debt } = customer
  return (
    <Card
      title={`${name} · ${project_id}`}
      actions={
        <div className={styles.actions}>
          {acts.filter(isOffered).map((act) => (
            <Button key={act} look="outline" onClick={() => setOpen(act)}>
              {textOf[act]}
            </Button>
          ))}
        </div>
      }
    >
      {suspended && (
        <Note tone="warn">
          {t('customer.suspended') + stop}
          {suspended.reason} · <DateStamp iso={suspended.date} />
        </Note>
      )}
      <FactList>
        {(isShown('payments') ? balances : []).map((type) => (
          <Fact key={type} name={t(`operator:balance.${type}`)}>
            <MoneyAmount amountMinor={customer[type]} currency={currency} />
          </Fact>
        ))}
        {debt > 0 && (
          <Fact name={t('customer.debt')}>
            <MoneyAmount amountMinor={debt} currency={currency} />
          </Fact>
        )}
        <Fact name={t('customer.since')}>
          <DateStamp iso={customer.date_create} />
        </Fact>
      </FactList>
      <RowList label={t('customer.members')}>
        {members.map((member) => (
          <Row
            key={member.user_id}
            title={member.name}
            about={member.email}
            actions={<Badge>{t(`common:role.${roles[member.access_type]}`)}</Badge>}
          />
        ))}
      </RowList>
      {open === 'balance' && <BalanceDialog customer={customer} onClose={close} />}
      {open === 'gift' && <GiftDialog customer={customer} onClose={close} />}
      {open === 'plan' && <PlanChangeDialog customer={customer} onClose={close} />}
      {open === 'suspend' && <SuspendDialog customer={customer} onClose={close} />}
    </Card>
  )
}

const roles = { 0: 'viewer', 1: 'editor', 2: 'owner' } as const

/** Suspends a project, or resumes it. */
function SuspendDialog({
  customer: { project_id, name, suspended },
  onClose,
}: Props & { readonly onClose: () => void }) {
  const { t } = useTranslation('operator-desk')
  const act = suspended ? 'resume' : 'suspend'
  return (
    <ChangeDialog
      title={t(`customer.${act}Title`, { name })}
      confirm={t(`customer.${act}`)}
      op={customers.suspend}
      values={{}}
      inputOf={() => ({ target_project_id: project_id, suspended: suspended === null })}
      onClose={onClose}
    >
      {() => <p>{t(`customer.${act}Text`)}</p>}
    </ChangeDialog>
  )
}

function PlansCard({ customer: { plans, promos } }: Props) {
  const { t } = useTranslation(['operator-desk', 'operator'])
  const { colon } = usePunctuation()
  const language = useLanguage()
  return (
    <Card title={t('customer.plans')}>
      <RowList label={t('customer.plans')}>
        {plans.map(({ line, slot, title, date_start, date_end, renews }) => (
          <Row
            key={`${line} ${slot}`}
            title={t(`operator:line.${line}`) + colon + title}
            about={
              date_end === null
                ? t('customer.noEnd')
                : t('sold.time', {
                    from: date_start === null ? '' : formatDate(date_start, language),
                    to: formatDate(date_end, language),
                  })
            }
            actions={
              <>
                {renews && <Badge tone="ok">{t('sold.renews')}</Badge>}
                <Badge tone={slot === 'current' ? 'accent' : 'neutral'}>{t(`customer.slot.${slot}`)}</Badge>
              </>
            }
          />
        ))}
        {promos.map(({ code, name, date }) => (
          <Row
            key={code}
            title={t('customer.promo') + colon + code}
            about={`${name} · ${formatDate(date, language)}`}
          />
        ))}
      </RowList>
    </Card>
  )
}

/** Newest rows of a list, with a link to all of them. */
function NewestCard({
  title,
  isEmpty,
  none,
  to,
  children,
}: {
  readonly title: string
  readonly isEmpty: boolean
  readonly none: string
  readonly to: string
  readonly children: ReactNode
}) {
  const { t } = useTranslation('operator-desk')
  return (
    <Card title={title}>
      {isEmpty ? (
        <p className={styles.quiet}>{none}</p>
      ) : (
        <>
          <RowList label={title}>{children}</RowList>
          <p>
            <Link to={to}>{t('customer.all')}</Link>
          </p>
        </>
      )}
    </Card>
  )
}

const newest = { limit: 5, offset: 0 }

function PaymentsCard({ id }: { readonly id: number }) {
  const { t } = useTranslation(['operator-money', 'operator-desk'])
  const query = useQuery(q(payments.list, { ...newest, project_id: id }))
  const [open, setOpen] = useState<{ readonly payment: OperatorPayment; readonly how: PaymentDialog } | null>(null)
  const OpenDialog = open && paymentDialogs[open.how]
  return (
    <QueryPart query={query} failed={t('failed')} skeleton={<Skeleton height={120} />}>
      {({ results, total }) => (
        <>
          <NewestCard
            title={t('payments.title')}
            isEmpty={total === 0}
            none={t('payments.noneYet')}
            to={paths.operator(`payments?project=${id}`)}
          >
            {results.map((payment) => (
              <PaymentItem key={payment.payment_id} payment={payment} onOpen={(how) => setOpen({ payment, how })} />
            ))}
          </NewestCard>
          {OpenDialog && open && <OpenDialog payment={open.payment} onClose={() => setOpen(null)} />}
        </>
      )}
    </QueryPart>
  )
}

function MovementsCard({ id }: { readonly id: number }) {
  const { t } = useTranslation('operator-desk')
  const query = useQuery(q(ledger.list, { ...newest, view: 'balance', target_project_id: id }))
  return (
    <QueryPart query={query} failed={t('failed')} skeleton={<Skeleton height={120} />}>
      {({ results, total }) => (
        <NewestCard
          title={t('customer.movements')}
          isEmpty={total === 0}
          none={t('money.none')}
          to={paths.operator(`money?view=balance&project=${id}`)}
        >
          {results.map((row) => (
            <MovementRow key={`${row.id} ${row.currency}`} row={row} />
          ))}
        </NewestCard>
      )}
    </QueryPart>
  )
}

function PapersCard({ customer: { papers } }: Props) {
  const { t } = useTranslation(['operator-desk', 'operator-money'])
  return (
    <Card title={t('customer.papers')}>
      {papers.length === 0 ? (
        <p className={styles.quiet}>{t('customer.noPapers')}</p>
      ) : (
        <RowList label={t('customer.papers')}>
          {papers.map(({ paper_id, number, payment_id, date_create }) => (
            <Row
              key={paper_id}
              title={number}
              about={
                <>
                  {payment_id !== null && `${t('operator-money:payments.number', { id: payment_id })} · `}
                  <DateStamp iso={date_create} />
                </>
              }
            />
          ))}
        </RowList>
      )}
    </Card>
  )
}

function NotesCard({ customer: { project_id, notes } }: Props) {
  const { t } = useTranslation('operator-desk')
  return (
    <Card title={t('customer.notes')} note={t('customer.notesNote')}>
      {/* A new note empties the form. */}
      <NoteForm key={notes[0]?.note_id ?? 0} projectId={project_id} />
      <RowList label={t('customer.notes')}>
        {notes.map(({ note_id, user, text, date_create }) => (
          <Row
            key={note_id}
            title={text}
            about={
              <>
                {user} · <DateStamp iso={date_create} />
              </>
            }
          />
        ))}
      </RowList>
    </Card>
  )
}

function NoteForm({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('operator-desk')
  const why = useFailureText('operator')
  const form = useWriteForm({
    op: customers.note,
    area: 'operator',
    values: { text: '' },
    inputOf: ({ text }) => ({ target_project_id: projectId, text: text.trim() }),
    messages: { text: t('customer.noteMissing') },
  })
  return (
    <form
      className={styles.parts}
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      <TextArea label={t('customer.note')} limit={2000} rows={2} {...form.field('text')} />
      {form.problem && <Note tone="warn">{why(form.problem)}</Note>}
      <div className={styles.actions}>
        <Button type="submit" look="outline" isBusy={form.isBusy} isOff={form.values.text.trim() === ''}>
          {t('customer.addNote')}
        </Button>
      </div>
    </form>
  )
}
