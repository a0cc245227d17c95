import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { payouts, type PayoutMethod } from '#contract/areas/billing/payouts.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { formatMoney } from '#src/lib/format.ts'
import { moneyText, parseMoney } from '#src/lib/money-input.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { randomId } from '#src/session/wire.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { TextField } from '#src/ui/text-field.tsx'

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
export function PayoutDialog({ projectId, way, available, onClose }: Props) {
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
        actions={
          <>
            <Button look="outline" isOff={form.isBusy} onClick={onClose}>
              {t('keep')}
            </Button>
            <Button type="submit" isBusy={form.isBusy} isOff={!isReady}>
              {t('send')}
            </Button>
          </>
        }
        onSubmit={form.submit}
      >
        <TextField label={t('amount')} inputMode="decimal" hint={limits} {...form.field('amount')} />
        <TextField label={t('wallet')} hint={t('walletHint')} autoComplete="off" {...form.field('wallet')} />
        <output>{isAllowed(amount) && t('received', { amount: money(amount - feeOf(way, amount)) })}</output>
      </DialogForm>
    </Dialog>
  )
}
