import { useTranslation } from 'react-i18next'
import { plans } from '#contract/areas/operator/plans.ts'
import { Period, type LineName } from '#contract/entities/plan.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './operator.module.css'
import { ReasonDialog } from './reason-dialog.tsx'

interface Props {
  readonly line: LineName
  readonly discounts: Readonly<Record<Period, number>>
  readonly onClose: () => void
}

/** Discounts of a line by period, percent. */
export function DiscountDialog({ line, discounts, onClose }: Props) {
  const { t } = useTranslation('operator')
  const form = useWriteForm({
    op: plans.setDiscount,
    area: 'operator',
    values: { month: String(discounts.month), year: String(discounts.year), reason: '' },
    inputOf: ({ month, year, reason }) => ({
      line,
      month: percentOf(month),
      year: percentOf(year),
      reason: reason.trim(),
    }),
    mode: 'onChange',
    messages: { month: t('discount.invalid'), year: t('discount.invalid') },
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={t('plans.changeDiscounts')}
      confirm={t('save')}
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <div className={styles.columns}>
        {Period.options.map((period) => (
          <TextField key={period} label={t(`discount.${period}`)} inputMode="numeric" {...form.field(period)} />
        ))}
      </div>
    </ReasonDialog>
  )
}

const percentOf = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN)
