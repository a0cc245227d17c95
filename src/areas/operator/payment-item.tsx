import { useTranslation } from 'react-i18next'
import { payProviderFacts } from '#contract/entities/pay-provider-facts.ts'
import type { OperatorPayment } from '#contract/entities/payment.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row } from '#src/ui/row-list.tsx'
import type { paymentDialogs } from './payment-dialogs.tsx'
import { useReviewText } from './review-text.ts'

const tones = { success: 'ok', pending: 'neutral', error: 'warn', cancel: 'neutral', review: 'warn' } as const

/** Returns the name of a provider as people know it. */
export function useProviderName(): (name: string) => string {
  const language = useLanguage()
  return (name) => payProviderFacts(name)?.texts[language].name ?? name
}

/** Returns the text for the reason of a failed payment; other reasons as the operator or the provider wrote them. */
function useReasonText(): (reason: string) => string {
  const { t, i18n } = useTranslation('pay')
  return (reason) => (i18n.exists(`pay:reason.${reason}`) ? t(`reason.${reason}`) : reason)
}

/** Dialogs of a payment. */
export type PaymentDialog = keyof typeof paymentDialogs

interface Props {
  readonly payment: OperatorPayment
  readonly onOpen: (how: PaymentDialog) => void
}

/** A payment in the list: facts, what waits for a decision, and what the operator can do. */
export function PaymentItem({ payment, onOpen }: Props) {
  const { t } = useTranslation('operator-money')
  const language = useLanguage()
  const nameOf = useProviderName()
  const reviewText = useReviewText()
  const reasonText = useReasonText()
  const { payment_id: id, amount, credited, currency, pay_name, status, left, refunded, disputed, reason } = payment
  // A credited payment stays paid while a refund or dispute of it waits.
  const state = payment.review_case && status !== 'success' ? 'review' : status
  const money = (minor: number) => formatMoney(minor, currency, language)
  const facts = [
    t('payments.number', { id }),
    `${payment.project_name} (${payment.project_id})`,
    nameOf(pay_name),
    payment.title ?? t(`payments.type.${payment.type}`),
    refunded > 0 && t('payments.refunded', { amount: money(refunded) }),
    disputed > 0 && t('payments.disputed', { amount: money(disputed) }),
    payment.purchase?.outcome === 'kept' && t('payments.kept'),
    reason && reasonText(reason),
  ]
  return (
    <Row
      title={<MoneyAmount amountMinor={status === 'success' ? credited : amount} currency={currency} />}
      about={
        <>
          {facts.filter(Boolean).join(' · ')} · <DateStamp iso={payment.date} />
        </>
      }
      actions={
        <>
          <Badge tone={tones[state]}>{t(`payments.status.${state}`)}</Badge>
          {pay_name === 'invoice' && status !== 'success' && (
            <Button aria-label={t('payments.paidNamed', { id })} onClick={() => onOpen('paid')}>
              {t('payments.paid')}
            </Button>
          )}
          {payment.review_case && (
            <Button look="outline" aria-label={t('payments.resolveNamed', { id })} onClick={() => onOpen('resolve')}>
              {t('payments.resolve')}
            </Button>
          )}
          {left > 0 && (
            <Button look="outline" aria-label={t('payments.refundNamed', { id })} onClick={() => onOpen('refund')}>
              {t('payments.refund')}
            </Button>
          )}
          {payment.may_dispute && (
            <Button look="quiet" aria-label={t('payments.disputeNamed', { id })} onClick={() => onOpen('dispute')}>
              {t('payments.dispute')}
            </Button>
          )}
          {payment.open_dispute > 0 && (
            <Button
              look="outline"
              aria-label={t('payments.endDisputeNamed', { id })}
              onClick={() => onOpen('endDispute')}
            >
              {t('payments.endDispute')}
            </Button>
          )}
        </>
      }
    >
      {payment.review_case && <Note tone="warn">{reviewText(payment)}</Note>}
    </Row>
  )
}
