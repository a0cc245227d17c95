import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { papers, type PaperSettings, type TaxRate } from '#contract/areas/operator/papers.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { useCountries } from '#src/components/use-countries.ts'
import { formatMoney, formatPercent } from '#src/lib/format.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './operator.module.css'
import { ExchangeDialog, ReceiptsDialog, SellerDialog, TaxDialog } from './paper-dialogs.tsx'

/** Seller, taxes, exchange rate and receipt codes of the installation. */
export function PapersPart() {
  const { t } = useTranslation('operator-money')
  const query = useQuery(q(papers.get, {}))
  return (
    <div className={styles.parts}>
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
  readonly name: 'seller' | 'exchange' | 'receipts'
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

function ExchangeCard({ known }: Props) {
  const { t } = useTranslation('operator-money')
  const language = useLanguage()
  const { kopecks_per_dollar: rate } = known
  return (
    <SettingCard name="exchange" dialog={(onClose) => <ExchangeDialog known={known} onClose={onClose} />}>
      <p>
        {rate === null
          ? t('papers.exchange.none')
          : t('papers.exchange.is', {
              dollar: formatMoney(100, 'usd', language),
              roubles: formatMoney(rate, 'rub', language),
            })}
      </p>
    </SettingCard>
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
            about={`${tax.label} ${formatPercent(tax.percent, language)}`}
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
