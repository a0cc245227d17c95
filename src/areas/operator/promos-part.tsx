import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type PromoCode, promos } from '#contract/areas/operator/promos.ts'
import { q } from '#src/api/query.ts'
import { PagedList } from '#src/components/paged-list.tsx'
import { usePageView } from '#src/components/use-list-view.ts'
import { windowOf } from '#src/lib/page-params.ts'
import { formatDate, formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import styles from './operator.module.css'
import { PromoDialog } from './promo-dialog.tsx'

const size = 50

/** Promo codes: list with uses, new codes, ending a code. */
export function PromosPart() {
  const { t } = useTranslation('operator-money')
  const { view, to } = usePageView()
  const list = useQuery({ ...q(promos.list, windowOf(view.page, size)), placeholderData: keepPreviousData })
  const [isNew, setNew] = useState(false)
  const [ending, setEnding] = useState<PromoCode | null>(null)
  return (
    <div className={styles.parts}>
      <Card
        title={t('promos.title')}
        note={t('promos.note')}
        actions={<Button onClick={() => setNew(true)}>{t('promos.add')}</Button>}
      >
        <PagedList
          query={list}
          failed={t('failed')}
          height={160}
          page={view.page}
          size={size}
          to={to}
          empty={<p className={styles.quiet}>{t('promos.none')}</p>}
        >
          {(rows) => (
            <RowList label={t('promos.title')}>
              {rows.map((promo) => (
                <PromoRow key={promo.promo_id} promo={promo} onEnd={() => setEnding(promo)} />
              ))}
            </RowList>
          )}
        </PagedList>
      </Card>
      {isNew && <PromoDialog onClose={() => setNew(false)} />}
      {ending && <EndDialog promo={ending} onClose={() => setEnding(null)} />}
    </div>
  )
}

function PromoRow({ promo, onEnd }: { readonly promo: PromoCode; readonly onEnd: () => void }) {
  const { t } = useTranslation('operator-money')
  const language = useLanguage()
  const amounts = (['usd', 'rub'] as const).flatMap((currency) => {
    const amount = promo[`amount_${currency}`]
    return amount === null ? [] : [formatMoney(amount, currency, language)]
  })
  const effect = promo.plan ? t(`promos.plan.${promo.plan.period}`, { plan: promo.plan.title }) : amounts.join(' / ')
  const uses = promo.uses_max === null ? String(promo.uses) : `${promo.uses} / ${promo.uses_max}`
  const facts = [
    promo.name,
    effect,
    t('promos.uses', { uses }),
    ...(promo.date_until ? [t('promos.until', { date: formatDate(promo.date_until, language) })] : []),
  ]
  return (
    <Row
      title={<code>{promo.code}</code>}
      about={facts.join(' · ')}
      actions={
        promo.date_end ? (
          <Badge>{t('promos.ended')}</Badge>
        ) : (
          <Button look="outline" onClick={onEnd}>
            {t('promos.end')}
          </Button>
        )
      }
    />
  )
}

function EndDialog({ promo, onClose }: { readonly promo: PromoCode; readonly onClose: () => void }) {
  const { t } = useTranslation('operator-money')
  return (
    <ChangeDialog
      title={t('promos.endTitle', { code: promo.code })}
      confirm={t('promos.end')}
      op={promos.end}
      values={{}}
      inputOf={() => ({ promo_id: promo.promo_id })}
      onClose={onClose}
    >
      {() => <p>{t('promos.endText')}</p>}
    </ChangeDialog>
  )
}
