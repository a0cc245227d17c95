import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import { type OperatorSettings, settings } from '#contract/areas/operator/settings.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { moneyText, parseMoney } from '#src/lib/money-input.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './operator.module.css'
import { ReasonDialog } from './reason-dialog.tsx'

/** Bonus of a new personal project in each currency. */
export function BonusCard({ settings: known }: { settings: z.output<typeof OperatorSettings> }) {
  const { t } = useTranslation('operator')
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title={t('bonus.title')}
      note={t('bonus.text')}
      actions={
        <Button look="outline" onClick={() => setOpen(true)}>
          {t('bonus.change')}
        </Button>
      }
    >
      <FactList>
        <Fact name={t('currency.usd')}>
          <MoneyAmount amountMinor={known.bonus_usd} currency="usd" />
        </Fact>
        <Fact name={t('currency.rub')}>
          <MoneyAmount amountMinor={known.bonus_rub} currency="rub" />
        </Fact>
      </FactList>
      {isOpen && <BonusDialog known={known} onClose={() => setOpen(false)} />}
    </Card>
  )
}

function BonusDialog({ known, onClose }: { known: z.output<typeof OperatorSettings>; onClose: () => void }) {
  const { t } = useTranslation('operator')
  const form = useWriteForm({
    op: settings.setBonus,
    area: 'operator',
    values: { bonus_usd: moneyText(known.bonus_usd), bonus_rub: moneyText(known.bonus_rub), reason: '' },
    inputOf: ({ bonus_usd, bonus_rub, reason }) => ({
      bonus_usd: parseMoney(bonus_usd) ?? Number.NaN,
      bonus_rub: parseMoney(bonus_rub) ?? Number.NaN,
      reason: reason.trim(),
    }),
    mode: 'onChange',
    messages: { bonus_usd: t('amount.invalid'), bonus_rub: t('amount.invalid') },
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={t('bonus.change')}
      confirm={t('save')}
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <div className={styles.columns}>
        <TextField label={t('currency.usd')} inputMode="decimal" {...form.field('bonus_usd')} />
        <TextField label={t('currency.rub')} inputMode="decimal" {...form.field('bonus_rub')} />
      </div>
    </ReasonDialog>
  )
}
