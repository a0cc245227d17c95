import { useTranslation } from 'react-i18next'
import {
  papers,
  type PaperSettings,
  sellerMax,
  type TaxRate,
  taxSystemMax,
  vatCodeMax,
} from '#contract/areas/operator/papers.ts'
import { useCountries } from '#src/components/use-countries.ts'
import { moneyText, parseMoney } from '#src/lib/money-input.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextArea } from '#src/ui/text-area.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import styles from './operator.module.css'

interface Props {
  readonly known: PaperSettings
  readonly onClose: () => void
}

/** Name, address and tax number that papers name as the seller. */
export function SellerDialog({ known: { seller_name, seller_address, seller_tax_id }, onClose }: Props) {
  const { t } = useTranslation('operator-money')
  return (
    <ChangeDialog
      title={t('papers.seller.change')}
      op={papers.setSeller}
      values={{ seller_name, seller_address, seller_tax_id }}
      inputOf={(values) => ({ ...values, seller_tax_id: values.seller_tax_id.trim() })}
      messages={{ seller_name: t('papers.seller.nameMissing') }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p className={styles.quiet}>{t('papers.seller.issuedStays')}</p>
          <TextField label={t('papers.seller.name')} limit={sellerMax.line} {...field('seller_name')} />
          <TextArea
            label={t('papers.seller.address')}
            rows={3}
            limit={sellerMax.address}
            {...field('seller_address')}
          />
          <TextField label={t('papers.seller.taxId')} limit={sellerMax.line} {...field('seller_tax_id')} />
        </>
      )}
    </ChangeDialog>
  )
}

/** Exchange rate; an empty field switches the exchange off. */
export function ExchangeDialog({ known: { kopecks_per_dollar: rate }, onClose }: Props) {
  const { t } = useTranslation('operator-money')
  return (
    <ChangeDialog
      title={t('papers.exchange.change')}
      op={papers.setExchange}
      values={{ kopecks_per_dollar: rate === null ? '' : moneyText(rate) }}
      inputOf={({ kopecks_per_dollar: text }) => ({
        kopecks_per_dollar: text.trim() === '' ? null : (parseMoney(text) ?? Number.NaN),
      })}
      messages={{ kopecks_per_dollar: t('papers.exchange.invalid') }}
      onClose={onClose}
    >
      {({ field }) => (
        <TextField
          label={t('papers.exchange.rate')}
          hint={t('papers.exchange.hint')}
          inputMode="decimal"
          {...field('kopecks_per_dollar')}
        />
      )}
    </ChangeDialog>
  )
}

const codes = (max: number) => Array.from({ length: max }, (_, index) => String(index + 1))

/** Tax system and VAT code of 54-FZ receipts; without both no receipts are sent. */
export function ReceiptsDialog({ known: { tax_system, vat_code }, onClose }: Props) {
  const { t } = useTranslation('operator-money')
  const choices = (key: string, max: number) => [
    { value: '', label: t('papers.receipts.none') },
    ...codes(max).map((value) => ({ value, label: t(`papers.receipts.${key}.${value}`) })),
  ]
  return (
    <ChangeDialog
      title={t('papers.receipts.change')}
      op={papers.setReceipts}
      values={{ tax_system: String(tax_system ?? ''), vat_code: String(vat_code ?? '') }}
      inputOf={(values) => ({
        tax_system: values.tax_system === '' ? null : Number(values.tax_system),
        vat_code: values.vat_code === '' ? null : Number(values.vat_code),
      })}
      rules={({ tax_system: system, vat_code: vat }) => ({
        tax_system: system === '' && vat !== '' ? t('papers.receipts.both') : undefined,
        vat_code: vat === '' && system !== '' ? t('papers.receipts.both') : undefined,
      })}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <SelectField
            label={t('papers.receipts.system')}
            choices={choices('systems', taxSystemMax)}
            {...field('tax_system')}
          />
          <SelectField label={t('papers.receipts.vat')} choices={choices('vats', vatCodeMax)} {...field('vat_code')} />
        </>
      )}
    </ChangeDialog>
  )
}

/** Tax of a country that prices include. @param tax null: another country */
export function TaxDialog({ tax, onClose }: { readonly tax: TaxRate | null; readonly onClose: () => void }) {
  const { t } = useTranslation('operator-money')
  const countries = useCountries()
  return (
    <ChangeDialog
      title={t(tax ? 'papers.taxes.change' : 'papers.taxes.add')}
      op={papers.setTax}
      values={{
        country_id: String(tax?.country_id ?? ''),
        percent: tax ? moneyText(Math.round(tax.percent * 100)) : '',
        label: tax?.label ?? '',
      }}
      inputOf={({ country_id, percent, label }) => ({
        country_id: Number(country_id),
        percent: (parseMoney(percent) ?? Number.NaN) / 100,
        label: label.trim(),
      })}
      messages={{
        country_id: t('papers.taxes.countryMissing'),
        percent: t('papers.taxes.percentInvalid'),
        label: t('papers.taxes.labelMissing'),
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <SelectField
            label={t('papers.taxes.country')}
            choices={[
              ...(tax ? [] : [{ value: '', label: t('papers.taxes.chooseCountry') }]),
              ...countries.filter(({ value }) => !tax || value === String(tax.country_id)),
            ]}
            {...field('country_id')}
          />
          <div className={styles.columns}>
            <TextField
              label={t('papers.taxes.percent')}
              hint={t('papers.taxes.percentHint')}
              inputMode="decimal"
              {...field('percent')}
            />
            <TextField
              label={t('papers.taxes.label')}
              hint={t('papers.taxes.labelHint')}
              limit={40}
              {...field('label')}
            />
          </div>
        </>
      )}
    </ChangeDialog>
  )
}
