import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Catalogue, plans } from '#contract/areas/operator/plans.ts'
import type { LineName } from '#contract/entities/plan.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { formatMoney, formatPercent } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { AssignDialog } from './assign-dialog.tsx'
import { DiscountDialog } from './discount-dialog.tsx'
import styles from './operator.module.css'
import { type EditedPlan, PlanDialog } from './plan-dialog.tsx'

type Plan = Catalogue[LineName][number]

/** Open dialog of the card. */
type Open = { readonly kind: 'edit' | 'assign'; readonly plan: EditedPlan } | { readonly kind: 'discount' }

/** Returns whether a plan has one figure of each kind and a price: it is neither free nor flexible nor for chosen projects. */
const isPlain = (plan: Plan): boolean => !('type' in plan) || plan.type === 'paid_fix' || plan.type === 'paid_month'

/** Catalogue of a line: its plans in their order, and its discounts. */
export function LineCard({ line, catalogue }: { line: LineName; catalogue: Catalogue }) {
  const { t } = useTranslation('operator')
  const language = useLanguage()
  const why = useFailureText('operator')
  const [open, setOpen] = useState<Open | null>(null)
  const order = useWrite(plans.order)
  const rows: readonly Plan[] = catalogue[line]
  const discounts = catalogue.discounts[line]
  const moveUp = (at: number) => {
    const ids = rows.map(({ id }) => id)
    const [moved] = ids.splice(at, 1)
    if (moved !== undefined) order.mutate({ line, plan_ids: ids.toSpliced(at - 1, 0, moved), reason: t('plans.moved') })
  }
  // A new plan begins as a copy of the last one for sale to everyone: every field has a value.
  const template = rows.findLast((plan) => plan.active && plan.listed && isPlain(plan)) ?? rows.findLast(isPlain)
  const close = () => setOpen(null)
  return (
    <Card
      title={t(`line.${line}`)}
      note={t('plans.discounts', {
        month: formatPercent(discounts.month, language),
        year: formatPercent(discounts.year, language),
      })}
      actions={
        <div className={styles.actions}>
          <Button look="outline" onClick={() => setOpen({ kind: 'discount' })}>
            {t('plans.changeDiscounts')}
          </Button>
          {template && (
            <Button
              look="outline"
              onClick={() => setOpen({ kind: 'edit', plan: { ...template, id: undefined, title: '' } })}
            >
              {t('plan.add')}
            </Button>
          )}
        </div>
      }
    >
      <RowList label={t(`line.${line}`)}>
        {rows.map((plan, at) => (
          <PlanRow
            key={plan.id}
            plan={plan}
            isFirst={at === 0}
            onUp={() => moveUp(at)}
            onOpen={(kind) => setOpen({ kind, plan })}
          />
        ))}
      </RowList>
      <Note tone="live">{order.error && why(order.error)}</Note>
      {open?.kind === 'edit' && (
        <PlanDialog line={line} plan={open.plan} recordLimit={catalogue.record_limit} onClose={close} />
      )}
      {open?.kind === 'assign' && <AssignDialog line={line} plan={open.plan} onClose={close} />}
      {open?.kind === 'discount' && <DiscountDialog line={line} discounts={discounts} onClose={close} />}
    </Card>
  )
}

interface RowProps {
  readonly plan: Plan
  readonly isFirst: boolean
  readonly onUp: () => void
  readonly onOpen: (kind: 'edit' | 'assign') => void
}

function PlanRow({ plan, isFirst, onUp, onOpen }: RowProps) {
  const { t } = useTranslation('operator')
  const language = useLanguage()
  const prices = [
    plan.price_usd === null ? null : formatMoney(plan.price_usd, 'usd', language),
    plan.price_rub === null ? null : formatMoney(plan.price_rub, 'rub', language),
  ].filter((price) => price !== null)
  const price = prices.join(' · ')
  const priceText = price && 'size_min' in plan ? t('plans.perGb', { price }) : price || t('plans.noPrice')
  return (
    <Row
      title={plan.title}
      about={[priceText, t('plans.projects', { count: plan.projects })].join(' · ')}
      actions={
        <>
          {!plan.active && <Badge tone="warn">{t('plans.notSold')}</Badge>}
          {!plan.listed && <Badge>{t('plans.notListed')}</Badge>}
          {!plan.listed && (
            <Button look="outline" onClick={() => onOpen('assign')}>
              {t('assign.open')}
            </Button>
          )}
          {!isFirst && (
            <Button look="outline" aria-label={t('plans.upNamed', { title: plan.title })} onClick={onUp}>
              ↑
            </Button>
          )}
          <Button look="outline" aria-label={t('plan.edit', { title: plan.title })} onClick={() => onOpen('edit')}>
            {t('plan.change')}
          </Button>
        </>
      }
    />
  )
}
