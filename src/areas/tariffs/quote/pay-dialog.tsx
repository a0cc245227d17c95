import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { payments } from '#contract/areas/billing/payments.ts'
import type { RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import { useWrite } from '#src/api/query.ts'
import { makeStale } from '#src/api/make-stale.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { PaySystemChoice } from '#src/components/pay-system-choice.tsx'
import { payFields, type PaymentOption } from '#src/components/pay-ways.ts'
import { useOpenPayment } from '#src/components/use-pay.ts'
import { formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Checkbox } from '#src/ui/checkbox.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import type { Order } from '#src/areas/tariffs/lines.ts'
import { type Due, dueFrom, paymentOf } from './payment-order.ts'
import { forgetPurchaseKey, purchaseKey } from './purchase-key.ts'
import styles from './quote.module.css'
import { quoteParts } from './quote-parts.ts'
import { useQuoteWords } from './quote-words.ts'

interface Props {
  readonly projectId: number
  readonly order: Order
  readonly quote: RestreamQuote
  readonly ways: readonly PaymentOption[]
  readonly onClose: () => void
}

/**
 * Starts a payment for what the balance does not cover; the plan is bought when the payment succeeds. A price change in
 * between shows the new price for another confirmation.
 */
export function PayDialog({ projectId, order, quote, ways, onClose }: Props) {
  const { t } = useTranslation(['tariffs', 'pay'])
  const language = useLanguage()
  const why = useFailureText('pay')
  const { sentence } = useQuoteWords()
  const queries = useQueryClient()
  const payment = useOpenPayment(projectId)
  const [chosen, setChosen] = useState<number | null>(null)
  const [isSaved, setSaved] = useState(false)
  const [changed, setChanged] = useState<Due | null>(null)
  const way = ways.find(({ value }) => value === chosen) ?? ways[0]
  const parts = quoteParts(quote, order.period)
  const left = changed ? Math.max(0, changed.total - changed.balance) : parts.left
  // Less than the minimum of the provider is paid at the minimum.
  const amount = left === 0 ? 0 : Math.max(left, way?.system.min_amount ?? 0)
  const money = (minor: number) => formatMoney(minor, quote.currency, language)

  const create = useWrite(payments.create, {
    onSuccess: async ({ payment_id }) => {
      forgetPurchaseKey()
      await payment.open(payment_id)
    },
    onError: (error) => {
      const due = dueFrom(error)
      if (!due) return
      setChanged(due)
      makeStale(queries, { queryKey: ['tariffs'] })
    },
  })
  const handleConfirm = () => {
    if (!way) return
    const input = { ...paymentOf(order), project_id: projectId, amount, ...payFields(way, isSaved) }
    create.mutate({ ...input, idempotency_key: purchaseKey(JSON.stringify(input)) })
  }
  return (
    <ConfirmDialog
      title={t(`ask.${quote.choose_status}`, { plan: order.words })}
      confirm={t('buy.pay', { amount: money(amount) })}
      keep={t('ask.keep')}
      isBusy={create.isPending || payment.isPending}
      isOff={amount === 0 || !way}
      notice={changed && t('pay.changed', { total: money(changed.total), balance: money(changed.balance) })}
      problem={create.error && !dueFrom(create.error) ? why(create.error) : amount === 0 ? t('pay.covered') : null}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      {!changed && <p>{sentence(quote, order)}</p>}
      {amount > left && <p>{t('pay.minimum', { min: money(amount), rest: money(amount - left) })}</p>}
      {way && ways.length > 1 && <PaySystemChoice ways={ways} value={way.value} onChange={setChosen} />}
      {way?.method === null && way.system.recurrent === 1 && (
        <label className={styles.save}>
          <Checkbox checked={isSaved} onChange={({ target }) => setSaved(target.checked)} />
          {t('pay:topUp.save')}
        </label>
      )}
    </ConfirmDialog>
  )
}
