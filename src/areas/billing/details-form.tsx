import { useTranslation } from 'react-i18next'
import { detailMax, type PaySetting, paySettings } from '#contract/areas/billing/pay-settings.ts'
import { type Currency, currencyOfCountry, onlyCountryOf } from '#contract/entities/currencies.ts'
import type { Language } from '#contract/core/wire.ts'
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
import styles from './details.module.css'
import type { Input } from '#contract/core/operation.ts'
import { russia } from '#contract/entities/countries.ts'
import { useQuery } from '@tanstack/react-query'
import { toApiError } from '#src/api/api-error.ts'
import { q } from '#src/api/query.ts'
import { currencyName, formatMoney } from '#src/lib/format.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'

interface Props {
  readonly projectId: number
  readonly currency: Currency
  readonly saved: PaySetting | null
}

/** Form of the billing details. A new country may change the currency, which the form says before it is saved. */
export function DetailsForm({ projectId, currency, saved }: Props) {
  const { t } = useTranslation('billing-details')
  const { t: parts } = useTranslation('parts', { keyPrefix: 'form' })
  const why = useFailureText()
  const countries = useCountries()
  const form = useWriteForm<DetailsValues, typeof paySettings.set>({
    op: paySettings.set,
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

/** Fields that are required outside Russia. */
const addressFields = ['street', 'house_number', 'zip', 'city', 'state'] as const

/** Values of the form. The country is the numeric code as text; empty: not chosen. */
type DetailsValues = Readonly<
  Record<'countrie_id' | 'email' | 'company_name' | 'tax_id' | 'description' | (typeof addressFields)[number], string>
>

const texts = ['email', 'company_name', 'tax_id', 'description', ...addressFields] as const

/** Values of saved details; without them the country of the currency is preselected, if it has only one. */
function valuesOf(saved: PaySetting | null, currency: Currency): DetailsValues {
  const country = saved?.countrie_id ?? onlyCountryOf(currency) ?? ''
  const entries = texts.map((name) => [name, saved?.[name] ?? ''] as const)
  return { ...(Object.fromEntries(entries) as DetailsValues), countrie_id: String(country) }
}

/** Input of the operation; empty fields are left out, which clears them. */
function inputOf(projectId: number, saved: PaySetting | null, values: DetailsValues): Input<typeof paySettings.set> {
  const { countrie_id, email, ...rest } = values
  const filled = Object.entries(rest).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]]))
  return {
    project_id: projectId,
    countrie_id: Number(countrie_id),
    email: email.trim(),
    pay_system_id: saved?.pay_system_id ?? 0,
    organization_id: saved?.organization_id ?? undefined,
    ...Object.fromEntries(filled),
  }
}

/** Returns whether the details require a postal address. */
const needsAddress = ({ countrie_id }: Pick<DetailsValues, 'countrie_id'>): boolean => Number(countrie_id) !== russia

/** Returns the required address fields that are empty. */
const missingAddress = (values: DetailsValues): readonly (typeof addressFields)[number][] =>
  needsAddress(values) ? addressFields.filter((field) => values[field].trim() === '') : []

interface CurrencyNoteProps {
  readonly projectId: number
  readonly currency: Currency
  readonly countryId: number
}

/** Effect of a country on the currency: what the balance becomes, or why the country cannot be chosen. */
function CurrencyNote({ projectId, currency, countryId }: CurrencyNoteProps) {
  const { t } = useTranslation('billing-details')
  const language = useLanguage()
  const { gap } = usePunctuation()
  const changes = currencyOfCountry(countryId) !== currency
  const { data, error } = useQuery({
    ...q(paySettings.checkCountry, { project_id: projectId, country_id: countryId }),
    enabled: changes,
    retry: false,
  })
  if (!changes) return <Note />
  const failure = error && toApiError(error)
  if (failure?.name === 'CurrencyInUse') {
    const reasons = failure.data['reasons']
    const known = (Array.isArray(reasons) ? reasons : []).map((reason) => t(`inUse.${String(reason)}`))
    return <Note tone="warn">{[t('inUse.title'), ...known].join(gap)}</Note>
  }
  if (!data) return <Note />
  const { bonus, payment, profit } = data.balance
  const balance = formatMoney(bonus + payment + profit, data.currency, language)
  const rate =
    data.exchange > 1
      ? rateText(currency, data.exchange, data.currency, language)
      : rateText(data.currency, 1 / data.exchange, currency, language)
  const name = currencyName(data.currency, language)
  return (
    <Note tone="warn">
      {data.confirm ? t('exchange', { currency: name, balance, rate }) : t('switch', { currency: name })}
    </Note>
  )
}

/** The price of one unit of a currency in another, for example `$1.00 = 92.50 ₽`. */
const rateText = (from: Currency, rate: number, to: Currency, language: Language): string =>
  `${formatMoney(100, from, language)} = ${formatMoney(rate * 100, to, language)}`
