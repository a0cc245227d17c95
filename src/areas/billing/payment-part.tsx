import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { payments } from '#contract/areas/billing/payments.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import type { Payment } from '#contract/entities/payment.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'
import { makeStale } from '#src/api/make-stale.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatMoney } from '#src/lib/format.ts'
import { moneyText } from '#src/lib/money-input.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './billing.module.css'
import { PendingActions } from './pending-actions.tsx'
import { papers } from '#contract/areas/billing/papers.ts'
import { apiRuntime } from '#src/api/runtime.ts'

/** Page of a payment, to which providers return the customer. Requests the payment until it has ended. */
export function PaymentPart() {
  const { t } = useTranslation('pay')
  const params = useParams()
  const projectId = Number(params['projectId'])
  const payment = useQuery({
    ...q(payments.get, { project_id: projectId, payId: Number(params['paymentId']) }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? pollMs(state.dataUpdateCount) : false),
  })
  useRefreshAtEnd(payment.data?.status)
  return (
    <div className={styles.part}>
      <QueryPart query={payment} failed={t('failed')} skeleton={<Skeleton height={210} />}>
        {(data) => <PaymentCard key={data.payment_id} projectId={projectId} payment={data} />}
      </QueryPart>
    </div>
  )
}

/** Refetches balance and plans when the payment ends: the event may be lost. */
function useRefreshAtEnd(status: Payment['status'] | undefined): void {
  const queries = useQueryClient()
  const isOver = status !== undefined && status !== 'pending'
  useEffect(() => {
    if (!isOver) return
    for (const prefix of payments.create.stale) makeStale(queries, { queryKey: prefix.split('.') })
  }, [queries, isOver])
}

function PaymentCard({ projectId, payment }: { readonly projectId: number; readonly payment: Payment }) {
  const { t, i18n } = useTranslation('pay')
  const language = useLanguage()
  const { payment_id, amount, currency, title, type, status, instructions, refunded, disputed } = payment
  const { credited, debt_paid } = payment
  const money = (minor: number) => formatMoney(minor, currency, language)
  const { outcome, tone, reason } = outcomeOf(payment, useSearchParams()[0].has('left'))
  const plan = title ?? ''
  // A paid payment shows the amount that arrived, which may differ from the requested one.
  const added = status === 'success' ? credited - debt_paid : amount
  const facts = { plan, amount: money(added), debt: money(debt_paid) }
  const heading = { plan, amount: money(status === 'success' ? credited : amount) }
  const isKnown = reason !== null && i18n.exists(`pay:reason.${reason}`)
  return (
    <Card title={type === 'topup' ? t('title.topup', heading) : t('title.plan', heading)}>
      <Note tone={tone}>{t(`outcome.${outcome}`, facts)}</Note>
      {reason !== null && <p>{isKnown ? t(`reason.${reason}`) : t('reason.other', { reason })}</p>}
      {status === 'pending' && instructions !== null && <div className={styles.details}>{instructions}</div>}
      {debt_paid > 0 && outcome !== 'debtPaid' && <p>{t('debtPart', { amount: money(debt_paid) })}</p>}
      {refunded > 0 && <p>{t('refunded', { amount: money(refunded) })}</p>}
      {disputed > 0 && <p>{t('disputed', { amount: money(disputed) })}</p>}
      <OwnerActions projectId={projectId} payment={payment} />
      {(status === 'success' || instructions !== null) && (
        <PaymentPapers key={status} projectId={projectId} paymentId={payment_id} />
      )}
      <p className={styles.links}>
        <Link to={paths.tariffs(projectId, type === 'topup' ? undefined : type)}>{t('toTariffs')}</Link>
        <Link to={paths.billing(projectId)}>{t('toBalance')}</Link>
      </p>
    </Card>
  )
}

/** Actions of an owner: continue or cancel a pending payment, or try a failed one again. */
function OwnerActions({ projectId, payment }: { readonly projectId: number; readonly payment: Payment }) {
  const { t } = useTranslation('pay')
  const info = useQuery(q(projects.info, { project_id: projectId }))
  const isOwner = info.data !== undefined && roleCan(info.data.access.access_type, 'owner')
  if (!isOwner || payment.status === 'success') return null
  if (payment.status === 'pending') return <PendingActions projectId={projectId} payment={payment} isPage />
  return (
    <p>
      <Link className={buttonClass()} to={tryAgainPath(projectId, payment)}>
        {t('tryAgain')}
      </Link>
    </p>
  )
}

/** Page where a payment that has failed can be made again: its amount or its period is chosen. */
function tryAgainPath(projectId: number, { type, amount, plan_period: period }: Payment): string {
  if (type === 'topup') return `${paths.billing(projectId)}?${new URLSearchParams({ amount: moneyText(amount) })}`
  const catalogue = paths.tariffs(projectId, type === 'restream' ? undefined : type)
  return period === null || period === 'month' ? catalogue : `${catalogue}?period=${period}`
}

/** Key of the texts of the page (`pay:outcome`). */
type Outcome =
  | 'review'
  | 'pending'
  | 'left'
  | 'invoice'
  | 'toppedUp'
  | 'debtPaid'
  | 'bought'
  | 'kept'
  | 'error'
  | 'expired'
  | 'cancel'
  | 'givenUp'

/**
 * Returns the outcome of a payment, the tone of its text, and the reason where it has one.
 * @param hasLeft the customer came back from the provider's page without paying
 */
function outcomeOf(
  payment: Payment,
  hasLeft: boolean,
): {
  readonly outcome: Outcome
  readonly tone: 'neutral' | 'ok' | 'warn' | 'live'
  readonly reason: string | null
} {
  const { status, review, purchase, instructions, reason, credited, debt_paid } = payment
  if (status === 'pending' && review) return { outcome: 'review', tone: 'warn', reason: null }
  if (status === 'pending' && instructions !== null) return { outcome: 'invoice', tone: 'neutral', reason: null }
  if (status === 'pending') return { outcome: hasLeft ? 'left' : 'pending', tone: 'neutral', reason: null }
  if (status === 'cancel' && reason === 'given_up') return { outcome: 'givenUp', tone: 'neutral', reason: null }
  if (status === 'cancel') return { outcome: 'cancel', tone: 'neutral', reason: null }
  if (status === 'error' && reason === 'expired') return { outcome: 'expired', tone: 'warn', reason: null }
  if (status === 'error') return { outcome: 'error', tone: 'live', reason }
  const isSpent = debt_paid > 0 && debt_paid === credited
  if (purchase === null) return { outcome: isSpent ? 'debtPaid' : 'toppedUp', tone: 'ok', reason: null }
  return purchase.outcome === 'bought'
    ? { outcome: 'bought', tone: 'ok', reason: null }
    : { outcome: isSpent ? 'debtPaid' : 'kept', tone: 'warn', reason: purchase.reason }
}

/** Interval of the requests for a pending payment, ms: short while the customer waits, longer afterwards. */
const pollMs = (requests: number): number => (requests < 40 ? 3000 : 15_000)

interface Props {
  readonly projectId: number
  readonly paymentId: number
}

/** Interval at which the tickets of the links are renewed, ms. */
const renewMs = 240_000

/** Links to the receipts, invoices and credit notes of a payment. */
function PaymentPapers({ projectId, paymentId }: Props) {
  const { t } = useTranslation('pay')
  const list = useQuery({
    ...q(papers.list, { project_id: projectId, payment_id: paymentId }),
    staleTime: 0,
    refetchInterval: renewMs,
  })
  const addressOf = (url: string) => new URL(url, apiRuntime().baseUrl || location.origin).href
  return (
    <QueryPart query={list} failed={t('papers.failed')} skeleton={null}>
      {({ results }) =>
        results.map(({ paper_id, kind, number, url, pdf_url }) => (
          <p key={paper_id} className={styles.links}>
            <a href={addressOf(url)} target="_blank" rel="noreferrer">
              {t(`papers.${kind}`, { number })}
            </a>
            <a href={addressOf(pdf_url)} target="_blank" rel="noreferrer">
              PDF
            </a>
          </p>
        ))
      }
    </QueryPart>
  )
}
