import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Catalogue, plans } from '#contract/areas/operator/plans.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

type SoldPeriod = Catalogue['periods'][number]

/** Periods that plans are sold for. The last one cannot be switched off. */
export function PeriodsCard({ periods }: { periods: readonly SoldPeriod[] }) {
  const { t } = useTranslation('operator')
  const [open, setOpen] = useState<SoldPeriod | null>(null)
  const count = periods.filter(({ sold }) => sold).length
  return (
    <Card title={t('periods.title')} note={t('periods.note')}>
      <RowList label={t('periods.title')}>
        {periods.map((one) => (
          <Row
            key={one.period}
            title={t(`periods.${one.period}`)}
            actions={
              <>
                {!one.sold && <Badge tone="warn">{t('plans.notSold')}</Badge>}
                {(!one.sold || count > 1) && (
                  <Button look="outline" onClick={() => setOpen(one)}>
                    {t(one.sold ? 'periods.stop' : 'periods.sell')}
                  </Button>
                )}
              </>
            }
          />
        ))}
      </RowList>
      {open && <PeriodDialog known={open} onClose={() => setOpen(null)} />}
    </Card>
  )
}

function PeriodDialog({ known: { period, sold }, onClose }: { known: SoldPeriod; onClose: () => void }) {
  const { t } = useTranslation('operator')
  const form = useWriteForm({
    op: plans.setPeriod,
    area: 'operator',
    values: { reason: '' },
    inputOf: ({ reason }) => ({ period, sold: !sold, reason: reason.trim() }),
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={t(`periods.${period}`)}
      confirm={t(sold ? 'periods.stop' : 'periods.sell')}
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <p>{t(sold ? 'periods.stopText' : 'periods.sellText')}</p>
    </ReasonDialog>
  )
}
