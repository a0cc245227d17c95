import { useTranslation } from 'react-i18next'
import { Currency } from '#contract/entities/project.ts'
import type { OperatorPayment } from '#contract/entities/payment.ts'
import { formatForeignMoney, formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'

/** Returns the text of a case: money that arrived and is not credited, or was taken or came back and is not booked, or an unconfirmed refund. */
export function useReviewText(): (payment: Pick<OperatorPayment, 'amount' | 'currency' | 'review_case'>) => string {
  const { t } = useTranslation('operator-money')
  const language = useLanguage()
  return ({ amount, currency, review_case: review }) => {
    if (!review) return ''
    const own = Currency.options.find((one) => one === review.currency)
    const received = own
      ? formatMoney(review.amount, own, language)
      : formatForeignMoney(review.amount, review.currency, language)
    // The requested money: the project has changed its currency meanwhile, or its balance is full.
    const isRequested = review.currency === currency && (review.reason === 'currency' || review.amount === amount)
    const why = { currency: 'project', amount: 'full' } as const
    const reason = review.reason === 'amount' || review.reason === 'currency' ? review.reason : null
    return t(`payments.review.${isRequested && reason ? why[reason] : review.reason}`, { received })
  }
}
