import { useTranslation } from 'react-i18next'
import { detailMax, type PaySetting, paySettings } from '#contract/areas/billing/pay-settings.ts'
import type { Currency } from '#contract/entities/project.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { useCountries } from '#src/components/use-countries.ts'
import { LeaveGuard } from '#src/components/leave-guard.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextArea } from '#src/ui/text-area.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { CurrencyNote } from './currency-note.tsx'
import styles from './details.module.css'
import { type DetailsValues, inputOf, missingAddress, needsAddress, valuesOf } from './details-values.ts'

interface Props {
  readonly projectId: number
  readonly currency: Currency
  readonly saved: PaySetting | null
}

/** Form of the billing details. A new country may change the currency, which the form says before it is saved. */
export function DetailsForm({ projectId, currency, saved }: Props) {
  const { t } = useTranslation('billing-details')
  const { t: parts } = useTranslation('parts', { keyPrefix: 'form' })
  const why = useFailureText('billing-details')
  const countries = useCountries()
  const form = useWriteForm<DetailsValues, typeof paySettings.set>({
    op: paySettings.set,
    area: 'billing-details',
    values: valuesOf(saved, currency),
    inputOf: (values) => inputOf(projectId, saved, values),
    messages: { countrie_id: t('countryMissing'), email: t('emailInvalid') },
    rules: (values) => Object.fromEntries(missingAddress(values).map((name) => [name, parts('required')])),
    refusals: { CurrencyInUse: 'countrie_id' },
  })
  const { values, isDirty, isBusy } = form
  const line = { maxLength: detailMax.line }
  const countryId = Number(values.countrie_id)

  return (
    <Card title={t('title')} note={t('note')}>
      <form className={styles.form} onSubmit={form.submit} noValidate>
        <div className={styles.pair}>
          <SelectField
            label={t('country')}
            choices={[...(values.countrie_id === '' ? [{ value: '', label: t('chooseCountry') }] : []), ...countries]}
            autoComplete="billing country"
            {...form.field('countrie_id')}
          />
          <TextField
            label={t('email')}
            type="email"
            autoComplete="email"
            hint={t('emailHint')}
            {...line}
            {...form.field('email')}
          />
        </div>
        {countryId > 0 && <CurrencyNote projectId={projectId} currency={currency} countryId={countryId} />}
        <div className={styles.pair}>
          <TextField
            label={t('company')}
            autoComplete="billing organization"
            {...line}
            {...form.field('company_name')}
          />
          <TextField label={t('taxId')} maxLength={detailMax.taxId} {...form.field('tax_id')} />
        </div>
        {needsAddress(values) && (
          <fieldset className={styles.address}>
            <legend>{t('address')}</legend>
            <div className={styles.wide}>
              <TextField label={t('street')} autoComplete="billing address-line1" {...line} {...form.field('street')} />
              <TextField label={t('house')} {...line} {...form.field('house_number')} />
            </div>
            <div className={styles.wide}>
              <TextField label={t('city')} autoComplete="billing address-level2" {...line} {...form.field('city')} />
              <TextField label={t('zip')} autoComplete="billing postal-code" {...line} {...form.field('zip')} />
            </div>
            <TextField label={t('state')} autoComplete="billing address-level1" {...line} {...form.field('state')} />
          </fieldset>
        )}
        <TextArea label={t('description')} rows={2} limit={detailMax.description} {...form.field('description')} />
        <div className={styles.actions}>
          <Button type="submit" isBusy={isBusy} isOff={!isDirty}>
            {t('save')}
          </Button>
          {isDirty && !isBusy && (
            <Button look="quiet" onClick={form.undo}>
              {t('undo')}
            </Button>
          )}
        </div>
        <Note tone={form.problem ? 'live' : 'ok'}>
          {form.problem ? why(form.problem) : form.output ? t('saved') : ''}
        </Note>
        <LeaveGuard isDirty={isDirty} />
      </form>
    </Card>
  )
}
