import { useTranslation } from 'react-i18next'
import { type OperatorWay, payouts, type QueuedPayout } from '#contract/areas/operator/payouts.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { moneyText, parseMoney } from '#src/lib/money-input.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './operator.module.css'
import { ReasonDialog } from './reason-dialog.tsx'

interface ResolveProps {
  readonly payout: QueuedPayout
  readonly onClose: () => void
}

/** Marks a payout as sent, with the reference of the transfer. */
export function SentDialog({ payout: { payout_id }, onClose }: ResolveProps) {
  const { t } = useTranslation('operator-money')
  const form = useWriteForm({
    op: payouts.sent,
    area: 'operator-money',
    values: { reference: '', reason: '' },
    inputOf: ({ reference, reason }) => ({ payout_id, reference: reference.trim(), reason: reason.trim() }),
    messages: { reference: t('payouts.referenceMissing') },
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={t('payouts.sentTitle')}
      confirm={t('payouts.sent')}
      area="operator-money"
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <TextField label={t('payouts.reference')} limit={200} {...form.field('reference')} />
    </ReasonDialog>
  )
}

/** Refuses a payout; its amount returns to the project. */
export function RefuseDialog({ payout: { payout_id }, onClose }: ResolveProps) {
  const { t } = useTranslation('operator-money')
  const form = useWriteForm({
    op: payouts.refuse,
    area: 'operator-money',
    values: { reason: '' },
    inputOf: ({ reason }) => ({ payout_id, reason: reason.trim() }),
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={t('payouts.refuseTitle')}
      confirm={t('payouts.refuse')}
      area="operator-money"
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <p>{t('payouts.refuseText')}</p>
    </ReasonDialog>
  )
}

const newWay = {
  title: '',
  description: '',
  currency: 'usd',
  commission: 0,
  commission_type: 'percent',
  min_amount: 1000,
  max_amount: 100_000,
  active: true,
} as const

/** Adds a way to pay out, or changes one. */
export function WayDialog({ way, onClose }: { readonly way: OperatorWay | null; readonly onClose: () => void }) {
  const { t } = useTranslation('operator-money')
  const known: Omit<OperatorWay, 'way_id'> = way ?? newWay
  const form = useWriteForm({
    op: payouts.setWay,
    area: 'operator-money',
    values: {
      title: known.title,
      description: known.description,
      currency: known.currency as string,
      commission_type: known.commission_type as string,
      active: known.active ? 'on' : 'off',
      commission: moneyText(known.commission),
      min_amount: moneyText(known.min_amount),
      max_amount: moneyText(known.max_amount),
      reason: '',
    },
    inputOf: (values) => ({
      ...(way && { way_id: way.way_id }),
      title: values.title.trim(),
      description: values.description.trim(),
      currency: values.currency === 'rub' ? ('rub' as const) : ('usd' as const),
      commission_type: values.commission_type === 'fix' ? ('fix' as const) : ('percent' as const),
      active: values.active === 'on',
      commission: parseMoney(values.commission) ?? Number.NaN,
      min_amount: parseMoney(values.min_amount) ?? Number.NaN,
      max_amount: parseMoney(values.max_amount) ?? Number.NaN,
      reason: values.reason.trim(),
    }),
    messages: {
      title: t('ways.nameMissing'),
      commission: t('amountInvalid'),
      min_amount: t('amountInvalid'),
      max_amount: t('amountInvalid'),
    },
    onSuccess: onClose,
  })
  const choices = (key: string, names: readonly string[]) =>
    names.map((value) => ({ value, label: t(`${key}.${value}`) }))
  return (
    <ReasonDialog
      title={t(way ? 'ways.change' : 'ways.add')}
      confirm={t('save')}
      area="operator-money"
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <TextField label={t('ways.name')} limit={100} {...form.field('title')} />
      <TextField label={t('ways.description')} limit={500} {...form.field('description')} />
      <div className={styles.columns}>
        <SelectField
          label={t('ways.currency')}
          choices={choices('currency', ['usd', 'rub'])}
          {...form.field('currency')}
        />
        <SelectField label={t('ways.state')} choices={choices('ways', ['on', 'off'])} {...form.field('active')} />
        <SelectField
          label={t('ways.type')}
          choices={choices('ways.types', ['percent', 'fix'])}
          {...form.field('commission_type')}
        />
        <TextField label={t('ways.commission')} inputMode="decimal" {...form.field('commission')} />
        <TextField label={t('ways.min')} inputMode="decimal" {...form.field('min_amount')} />
        <TextField label={t('ways.max')} inputMode="decimal" {...form.field('max_amount')} />
      </div>
    </ReasonDialog>
  )
}

/** Sets the share of payments that inviters earn. */
export function ReferralDialog({ percent, onClose }: { readonly percent: number; readonly onClose: () => void }) {
  const { t } = useTranslation('operator-money')
  const form = useWriteForm({
    op: payouts.setReferral,
    area: 'operator-money',
    values: { percent: moneyText(Math.round(percent * 100)), reason: '' },
    inputOf: (values) => ({ percent: (parseMoney(values.percent) ?? Number.NaN) / 100, reason: values.reason.trim() }),
    messages: { percent: t('referral.invalid') },
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={t('referral.change')}
      confirm={t('save')}
      area="operator-money"
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <TextField label={t('referral.percent')} inputMode="decimal" {...form.field('percent')} />
    </ReasonDialog>
  )
}
