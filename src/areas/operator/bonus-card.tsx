import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import { bonusMaxMinor, type OperatorSettings, settings } from '#contract/areas/operator/settings.ts'
import { useWrite } from '#src/api/query.ts'
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
  const [usd, setUsd] = useState(moneyText(known.bonus_usd))
  const [rub, setRub] = useState(moneyText(known.bonus_rub))
  const write = useWrite(settings.setBonus, { onSuccess: onClose })
  const amounts = { bonus_usd: parseMoney(usd), bonus_rub: parseMoney(rub) }
  const errorOf = (amount: number | null) =>
    amount === null || amount < 0 || amount > bonusMaxMinor ? t('amount.invalid') : undefined
  const { bonus_usd, bonus_rub } = amounts
  const isOff = errorOf(bonus_usd) !== undefined || errorOf(bonus_rub) !== undefined
  return (
    <ReasonDialog
      title={t('bonus.change')}
      confirm={t('save')}
      write={write}
      isOff={isOff}
      onSubmit={(reason) => bonus_usd !== null && bonus_rub !== null && write.mutate({ bonus_usd, bonus_rub, reason })}
      onClose={onClose}
    >
      <div className={styles.columns}>
        <TextField
          label={t('currency.usd')}
          inputMode="decimal"
          value={usd}
          error={errorOf(bonus_usd)}
          onChange={setUsd}
        />
        <TextField
          label={t('currency.rub')}
          inputMode="decimal"
          value={rub}
          error={errorOf(bonus_rub)}
          onChange={setRub}
        />
      </div>
    </ReasonDialog>
  )
}
