import { useTranslation } from 'react-i18next'
import { type OperatorPayoutMethod, payouts, type QueuedPayout } from '#contract/areas/operator/payouts.ts'
import { moneyText, parseMoney } from '#src/lib/money-input.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import styles from './operator.module.css'

interface ResolveProps {
  readonly payout: QueuedPayout
  readonly onClose: () => void
}

const minor = (text: string): number => parseMoney(text) ?? Number.NaN

/** Marks a payout as sent, with the reference of the transfer. */
export function SentDialog({ payout: { payout_id }, onClose }: ResolveProps) {
  const { t } = useTranslation('operator-money')
  return (
    <ChangeDialog
      title={t('payouts.sentTitle')}
      confirm={t('payouts.sent')}
      op={payouts.sent}
      values={{ reference: '' }}
      inputOf={({ reference }) => ({ payout_id, reference: reference.trim() })}
      messages={{ reference: t('payouts.referenceMissing') }}
      onClose={onClose}
    >
      {({ field }) => <TextField label={t('payouts.reference')} limit={200} {...field('reference')} />}
    </ChangeDialog>
  )
}

/** Refuses a payout; its amount returns to the project. */
export function RefuseDialog({ payout: { payout_id }, onClose }: ResolveProps) {
  const { t } = useTranslation('operator-money')
  return (
    <ChangeDialog
      title={t('payouts.refuseTitle')}
      confirm={t('payouts.refuse')}
      op={payouts.refuse}
      values={{}}
      inputOf={() => ({ payout_id })}
      onClose={onClose}
    >
      {() => <p>{t('payouts.refuseText')}</p>}
    </ChangeDialog>
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
export function WayDialog({
  way,
  onClose,
}: {
  readonly way: OperatorPayoutMethod | null
  readonly onClose: () => void
}) {
  const { t } = useTranslation('operator-money')
  const known: Omit<OperatorPayoutMethod, 'way_id'> = way ?? newWay
  const choices = (key: string, names: readonly string[]) =>
    names.map((value) => ({ value, label: t(`${key}.${value}`) }))
  return (
    <ChangeDialog
      title={t(way ? 'ways.change' : 'ways.add')}
      op={payouts.setWay}
      values={{
        title: known.title,
        description: known.description,
        currency: known.currency as string,
        commission_type: known.commission_type as string,
        active: known.active ? 'on' : 'off',
        commission: moneyText(known.commission),
        min_amount: moneyText(known.min_amount),
        max_amount: moneyText(known.max_amount),
      }}
      inputOf={(values) => ({
        ...(way && { way_id: way.way_id }),
        title: values.title.trim(),
        description: values.description.trim(),
        currency: values.currency === 'rub' ? ('rub' as const) : ('usd' as const),
        commission_type: values.commission_type === 'fix' ? ('fix' as const) : ('percent' as const),
        active: values.active === 'on',
        commission: minor(values.commission),
        min_amount: minor(values.min_amount),
        max_amount: minor(values.max_amount),
      })}
      messages={{
        title: t('ways.nameMissing'),
        commission: t('amountInvalid'),
        min_amount: t('amountInvalid'),
        max_amount: t('amountInvalid'),
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <TextField label={t('ways.name')} limit={100} {...field('title')} />
          <TextField label={t('ways.description')} limit={500} {...field('description')} />
          <div className={styles.columns}>
            <SelectField
              label={t('ways.currency')}
              choices={choices('currency', ['usd', 'rub'])}
              {...field('currency')}
            />
            <SelectField label={t('ways.state')} choices={choices('ways', ['on', 'off'])} {...field('active')} />
            <SelectField
              label={t('ways.type')}
              choices={choices('ways.types', ['percent', 'fix'])}
              {...field('commission_type')}
            />
            <TextField label={t('ways.commission')} inputMode="decimal" {...field('commission')} />
            <TextField label={t('ways.min')} inputMode="decimal" {...field('min_amount')} />
            <TextField label={t('ways.max')} inputMode="decimal" {...field('max_amount')} />
          </div>
        </>
      )}
    </ChangeDialog>
  )
}

/** Sets the share of payments that inviters earn. */
export function ReferralDialog({ percent, onClose }: { readonly percent: number; readonly onClose: () => void }) {
  const { t } = useTranslation('operator-money')
  return (
    <ChangeDialog
      title={t('referral.change')}
      op={payouts.setReferral}
      values={{ percent: moneyText(Math.round(percent * 100)) }}
      inputOf={(values) => ({ percent: minor(values.percent) / 100 })}
      messages={{ percent: t('referral.invalid') }}
      onClose={onClose}
    >
      {({ field }) => <TextField label={t('referral.percent')} inputMode="decimal" {...field('percent')} />}
    </ChangeDialog>
  )
}
