import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { health, type OperatorHealth, type RefusedReceipt } from '#contract/areas/operator/health.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { formatMoney, formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { ChangeDialog } from './change-dialog.tsx'

/** Closing receipts by 54-FZ: how many wait, and the refused ones with a decision for each. */
export function ReceiptsCard({ receipts: { waiting, refused } }: Pick<OperatorHealth, 'receipts'>) {
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
