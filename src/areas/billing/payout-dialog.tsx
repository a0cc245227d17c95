import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { payouts, type PayoutWay } from '#contract/areas/billing/payouts.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
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
  readonly way: PayoutWay
  /** Earned balance, minor units. */
  readonly available: number
  readonly onClose: () => void
}

/** Fee of an amount in minor units, rounded up as the service does. */
const feeOf = ({ commission, commission_type }: PayoutWay, amount: number): number =>
  commission_type === 'fix' ? commission : Math.ceil((amount * Math.round(commission * 100)) / 10_000)

/** Requests a payout: amount and account, with the amount that the recipient gets. */
export function PayoutDialog({ projectId, way, available, onClose }: Props) {
  const { t } = useTranslation('payouts')
  const language = useLanguage()
  const why = useFailureText('payouts')
  const most = Math.min(available, way.max_amount)
  const [amountText, setAmount] = useState(moneyText(most))
  const [wallet, setWallet] = useState('')
  // A repeated request after a lost response creates one payout.
  const [key] = useState(randomId)
  const write = useWrite(payouts.create, { onSuccess: onClose })
  const amount = parseMoney(amountText)
  const money = (minor: number) => formatMoney(minor, way.currency, language)
  const isWrong = amount === null || amount < way.min_amount || amount > most
  const limits = t('limits', { min: money(way.min_amount), max: money(most) })
  const isReady = !isWrong && wallet.trim().length >= 3
  const send = () =>
    amount !== null &&
    write.mutate({
      project_id: projectId,
      payout_system_account_id: way.payout_system_account_id,
      amount,
      wallet_value: wallet.trim(),
      idempotency_key: `${key}-${amount}`,
    })
  return (
    <Dialog title={t('dialog', { way: way.title })} onClose={() => write.isPending || onClose()}>
      <DialogForm
        problem={write.error && why(write.error)}
        actions={
          <>
            <Button look="outline" isOff={write.isPending} onClick={onClose}>
              {t('keep')}
            </Button>
            <Button type="submit" isBusy={write.isPending} isOff={!isReady}>
              {t('send')}
            </Button>
          </>
        }
        onSubmit={() => isReady && !write.isPending && send()}
      >
        <TextField
          label={t('amount')}
          inputMode="decimal"
          hint={limits}
          error={isWrong ? limits : undefined}
          value={amountText}
          onChange={setAmount}
        />
        <TextField label={t('wallet')} hint={t('walletHint')} autoComplete="off" value={wallet} onChange={setWallet} />
        <output>{!isWrong && amount !== null && t('received', { amount: money(amount - feeOf(way, amount)) })}</output>
      </DialogForm>
    </Dialog>
  )
}
