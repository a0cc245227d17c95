import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { promos } from '#contract/areas/operator/promos.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { transcoding } from '#contract/areas/tariffs/transcoding.ts'
import { promoTypes } from '#contract/entities/money.ts'
import { q } from '#src/api/query.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { parseMoney } from '#src/lib/money-input.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './operator.module.css'
import { ReasonDialog } from './reason-dialog.tsx'

/** An optional amount: null for an empty field, not a number for an invalid one. */
const amountOf = (text: string): number | null => (text.trim() === '' ? null : (parseMoney(text) ?? Number.NaN))

/** Creates a promo code: a credit, or a plan at its smallest setting. */
export function PromoDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('operator-money')
  const form = useWriteForm({
    op: promos.create,
    area: 'operator-money',
    values: {
      code: '',
      name: '',
      type: 'top_up' as string,
      amount_usd: '',
      amount_rub: '',
      plan_id: '',
      period: 'month' as string,
      uses_max: '',
      date_until: '',
      reason: '',
    },
    inputOf: (values) => ({
      code: values.code.trim(),
      name: values.name.trim(),
      type: promoTypes.find((name) => name === values.type) ?? 'top_up',
      ...(values.type === 'top_up'
        ? { amount_usd: amountOf(values.amount_usd), amount_rub: amountOf(values.amount_rub) }
        : {
            plan_id: Number(values.plan_id),
            period: values.period === 'year' ? ('year' as const) : ('month' as const),
          }),
      uses_max: values.uses_max.trim() === '' ? null : Number(values.uses_max),
      date_until: values.date_until === '' ? null : new Date(`${values.date_until}T23:59:59`).toISOString(),
      reason: values.reason.trim(),
    }),
    messages: {
      code: t('promos.codeHint'),
      name: t('promos.nameMissing'),
      amount_usd: t('amountInvalid'),
      amount_rub: t('amountInvalid'),
      plan_id: t('promos.choosePlan'),
      uses_max: t('promos.usesInvalid'),
    },
    onSuccess: onClose,
  })
  const type = form.field('type').value
  const plans = usePlans(type)
  const choices = (key: string, names: readonly string[]) =>
    names.map((value) => ({ value, label: t(`${key}.${value}`) }))
  return (
    <ReasonDialog
      title={t('promos.add')}
      confirm={t('save')}
      area="operator-money"
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <div className={styles.columns}>
        <TextField label={t('promos.code')} hint={t('promos.codeHint')} {...form.field('code')} />
        <TextField label={t('promos.name')} hint={t('promos.nameHint')} {...form.field('name')} />
        <SelectField label={t('promos.type')} choices={choices('promos.types', promoTypes)} {...form.field('type')} />
        {type === 'top_up' ? (
          <>
            <TextField label={t('currency.usd')} inputMode="decimal" {...form.field('amount_usd')} />
            <TextField label={t('currency.rub')} inputMode="decimal" {...form.field('amount_rub')} />
          </>
        ) : (
          <>
            <SelectField
              label={t('promos.planField')}
              choices={[{ value: '', label: t('promos.choosePlan') }, ...plans]}
              {...form.field('plan_id')}
            />
            <SelectField
              label={t('promos.period')}
              choices={choices('promos.periods', ['month', 'year'])}
              {...form.field('period')}
            />
          </>
        )}
        <TextField
          label={t('promos.usesMax')}
          hint={t('promos.usesHint')}
          inputMode="numeric"
          {...form.field('uses_max')}
        />
        <TextField label={t('promos.untilField')} type="date" {...form.field('date_until')} />
      </div>
    </ReasonDialog>
  )
}

/** Plans of a line that are for sale, as choices. */
function usePlans(type: string): readonly { readonly value: string; readonly label: string }[] {
  const ofRestream = useQuery({ ...q(restream.list, {}), enabled: type === 'restream' })
  const ofTranscoding = useQuery({ ...q(transcoding.list, {}), enabled: type === 'transcoding' })
  const ofStorage = useQuery({ ...q(storage.list, {}), enabled: type === 'storage' })
  const choice = (id: number, label: string) => ({ value: String(id), label })
  if (type === 'restream') {
    return (ofRestream.data?.results ?? [])
      .filter((plan) => plan.active && plan.type !== 'free')
      .map((plan) => choice(plan.plan_restream_id, plan.title))
  }
  if (type === 'transcoding') {
    return (ofTranscoding.data?.results ?? [])
      .filter((plan) => plan.active && plan.type !== 'free')
      .map((plan) => choice(plan.plan_transcoding_id, plan.title))
  }
  return (ofStorage.data?.results ?? []).map((plan) => choice(plan.plan_storage_id, plan.title))
}
