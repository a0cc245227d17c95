import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  papers,
  type PaperSettings,
  sellerMax,
  type TaxRate,
  taxSystemMax,
  vatCodeMax,
} from '#contract/areas/operator/papers.ts'
import { q } from '#src/api/query.ts'
import { archiveRefresh, PaperArchivesCard } from '#src/components/paper-archives.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { useCountries } from '#src/components/use-countries.ts'
import { currencyName, formatMoney, formatPercent } from '#src/lib/format.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './operator.module.css'
import { moneyText, parseMoney } from '#src/lib/money-input.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextArea } from '#src/ui/text-area.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { ChangeDialog } from './change-dialog.tsx'

interface SellerDialogProps {
  readonly known: PaperSettings
  readonly onClose: () => void
}

/** Name, address and tax number that papers name as the seller. */
function SellerDialog({ known: { seller_name, seller_address, seller_tax_id }, onClose }: SellerDialogProps) {
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

type Rate = PaperSettings['rates'][number]

/** Exchange rate of a pair of currencies; an empty field switches the exchange off. */
function ExchangeDialog({ known: { from, to, minor }, onClose }: { known: Rate; onClose: () => void }) {
  const { t } = useTranslation('operator-money')
  const language = useLanguage()
  return (
    <ChangeDialog
      title={t('papers.exchange.change')}
      op={papers.setExchange}
      values={{ minor: minor === null ? '' : moneyText(minor) }}
      inputOf={({ minor: text }) => ({
        from,
        to,
        minor: text.trim() === '' ? null : (parseMoney(text) ?? Number.NaN),
      })}
      messages={{ minor: t('papers.exchange.invalid') }}
      onClose={onClose}
    >
      {({ field }) => (
        <TextField
          label={t('papers.exchange.rate', {
            to: currencyName(to, language),
            from: formatMoney(100, from, language),
          })}
          hint={t('papers.exchange.hint')}
          inputMode="decimal"
          {...field('minor')}
        />
      )}
    </ChangeDialog>
  )
}

const codes = (max: number) => Array.from({ length: max }, (_, index) => String(index + 1))

/** Tax system and VAT code of 54-FZ receipts; without both no receipts are sent. */
function ReceiptsDialog({ known: { tax_system, vat_code }, onClose }: SellerDialogProps) {
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
function TaxDialog({ tax, onClose }: { readonly tax: TaxRate | null; readonly onClose: () => void }) {
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
        reverse_charge: tax?.reverse_charge ? 'on' : 'off',
      }}
      inputOf={({ country_id, percent, label, reverse_charge }) => ({
        country_id: Number(country_id),
        percent: (parseMoney(percent) ?? Number.NaN) / 100,
        label: label.trim(),
        reverse_charge: reverse_charge === 'on',
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
          <SelectField
            label={t('papers.taxes.business')}
            choices={(['off', 'on'] as const).map((value) => ({ value, label: t(`papers.taxes.reverse.${value}`) }))}
            {...field('reverse_charge')}
          />
        </>
      )}
    </ChangeDialog>
  )
}

/** Papers by month, and seller, taxes, exchange rate and receipt codes of the installation. */
export function PapersPart() {
  const { t } = useTranslation('operator-money')
  const query = useQuery(q(papers.get, {}))
  const archives = useQuery({ ...q(papers.archives, {}), ...archiveRefresh })
  return (
    <div className={styles.parts}>
      <PaperArchivesCard query={archives} />
      <QueryPart query={query} failed={t('failed')} skeleton={<Skeleton height={420} />}>
        {(known) => (
          <>
            <SellerCard known={known} />
            <TaxesCard taxes={known.taxes} />
            <ExchangeCard known={known} />
            <ReceiptsCard known={known} />
          </>
        )}
      </QueryPart>
    </div>
  )
}

interface SettingProps {
  /** Key of its texts in `operator-money:papers`. */
  readonly name: 'seller' | 'receipts'
  readonly dialog: (onClose: () => void) => ReactNode
  readonly children: ReactNode
}

/** A setting with the button that changes it. */
function SettingCard({ name, dialog, children }: SettingProps) {
  const { t } = useTranslation('operator-money')
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title={t(`papers.${name}.title`)}
      note={t(`papers.${name}.note`)}
      actions={
        <Button look="outline" onClick={() => setOpen(true)}>
          {t(`papers.${name}.change`)}
        </Button>
      }
    >
      {children}
      {isOpen && dialog(() => setOpen(false))}
    </Card>
  )
}

interface Props {
  readonly known: PaperSettings
}

function SellerCard({ known }: Props) {
  const { t } = useTranslation('operator-money')
  const { comma } = usePunctuation()
  const { seller_name: name, seller_address: address, seller_tax_id: taxId } = known
  return (
    <SettingCard name="seller" dialog={(onClose) => <SellerDialog known={known} onClose={onClose} />}>
      {name === '' ? (
        <Note tone="warn">{t('papers.seller.missing')}</Note>
      ) : (
        <FactList>
          <Fact name={t('papers.seller.name')}>{name}</Fact>
          <Fact name={t('papers.seller.address')} isQuiet={address === ''}>
            {address === '' ? t('papers.none') : address.split('\n').join(comma)}
          </Fact>
          <Fact name={t('papers.seller.taxId')} isQuiet={taxId === ''}>
            {taxId === '' ? t('papers.none') : taxId}
          </Fact>
        </FactList>
      )}
    </SettingCard>
  )
}

/** Exchange rate of each pair of currencies. */
function ExchangeCard({ known: { rates } }: Props) {
  const { t } = useTranslation('operator-money')
  const { colon } = usePunctuation()
  const language = useLanguage()
  const [open, setOpen] = useState<Rate | null>(null)
  const nameOf = ({ from, to }: Rate) => `${currencyName(from, language)} – ${currencyName(to, language)}`
  return (
    <Card title={t('papers.exchange.title')} note={t('papers.exchange.note')}>
      <RowList label={t('papers.exchange.title')}>
        {rates.map((rate) => (
          <Row
            key={`${rate.from} ${rate.to}`}
            title={nameOf(rate)}
            about={
              rate.minor === null
                ? t('papers.exchange.none')
                : t('papers.exchange.is', {
                    from: formatMoney(100, rate.from, language),
                    to: formatMoney(rate.minor, rate.to, language),
                  })
            }
            actions={
              <Button
                look="outline"
                aria-label={t('papers.exchange.change') + colon + nameOf(rate)}
                onClick={() => setOpen(rate)}
              >
                {t('papers.exchange.change')}
              </Button>
            }
          />
        ))}
      </RowList>
      {open && <ExchangeDialog known={open} onClose={() => setOpen(null)} />}
    </Card>
  )
}

function ReceiptsCard({ known }: Props) {
  const { t } = useTranslation('operator-money')
  const { tax_system: system, vat_code: vat } = known
  return (
    <SettingCard name="receipts" dialog={(onClose) => <ReceiptsDialog known={known} onClose={onClose} />}>
      {system === null || vat === null ? (
        <p>{t('papers.receipts.none')}</p>
      ) : (
        <FactList>
          <Fact name={t('papers.receipts.system')}>{t(`papers.receipts.systems.${system}`)}</Fact>
          <Fact name={t('papers.receipts.vat')}>{t(`papers.receipts.vats.${vat}`)}</Fact>
        </FactList>
      )}
    </SettingCard>
  )
}

function TaxesCard({ taxes }: { readonly taxes: readonly TaxRate[] }) {
  const { t } = useTranslation('operator-money')
  const { comma } = usePunctuation()
  const language = useLanguage()
  const countries = useCountries()
  const [open, setOpen] = useState<TaxRate | 'new' | null>(null)
  const nameOf = (id: number) => countries.find(({ value }) => value === String(id))?.label ?? String(id)
  return (
    <Card
      title={t('papers.taxes.title')}
      note={t('papers.taxes.note')}
      actions={
        <Button look="outline" onClick={() => setOpen('new')}>
          {t('papers.taxes.add')}
        </Button>
      }
    >
      {taxes.length === 0 && <p className={styles.quiet}>{t('papers.taxes.empty')}</p>}
      <RowList label={t('papers.taxes.title')}>
        {taxes.map((tax) => (
          <Row
            key={tax.country_id}
            title={nameOf(tax.country_id)}
            about={[
              `${tax.label} ${formatPercent(tax.percent, language)}`,
              ...(tax.reverse_charge ? [t('papers.taxes.reversed')] : []),
            ].join(comma)}
            actions={
              <Button
                look="outline"
                aria-label={t('papers.taxes.changeNamed', { country: nameOf(tax.country_id) })}
                onClick={() => setOpen(tax)}
              >
                {t('papers.taxes.change')}
              </Button>
            }
          />
        ))}
      </RowList>
      {open && <TaxDialog tax={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </Card>
  )
}
