import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Catalogue, plans } from '#contract/areas/operator/plans.ts'
import { currencyCodes } from '#contract/entities/currencies.ts'
import { byPeriod, type LineName, lineNames, type Period, periodNames } from '#contract/entities/plan.ts'
import { q, useWrite } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './operator.module.css'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { languages } from '#contract/core/codes.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { formatMoney, formatPercent } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button, iconButtonClass } from '#src/ui/button.tsx'
import { Menu, menuItemClass } from '#src/ui/menu.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { PlanActionDialog } from './plan-action-dialog.tsx'
import { type EditedPlan, PlanDialog } from './plan-dialog.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { TextField } from '#src/ui/text-field.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { usePunctuation } from '#src/lib/punctuation.ts'

interface DiscountDialogProps {
  readonly line: LineName
  readonly discounts: Readonly<Record<Period, number>>
  readonly onClose: () => void
}

/** Discounts of a line by period, percent. */
function DiscountDialog({ line, discounts, onClose }: DiscountDialogProps) {
  const { t } = useTranslation('operator')
  const form = useWriteForm({
    op: plans.setDiscount,
    area: 'operator',
    values: { ...byPeriod((period) => String(discounts[period])), reason: '' },
    inputOf: (values) => ({
      line,
      ...byPeriod((period) => percentOf(values[period])),
      reason: values.reason.trim(),
    }),
    mode: 'onChange',
    messages: byPeriod(() => t('discount.invalid')),
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={t('plans.changeDiscounts')}
      confirm={t('save')}
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <div className={styles.columns}>
        {periodNames.map((period) => (
          <TextField key={period} label={t(`discount.${period}`)} inputMode="numeric" {...form.field(period)} />
        ))}
      </div>
    </ReasonDialog>
  )
}

const percentOf = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN)

type Plan = Catalogue[LineName][number]

type PlanAction = 'archive' | 'sell' | 'remove'

/** Open dialog of the card. */
type Open = { readonly kind: 'edit' | 'assign' | PlanAction; readonly plan: EditedPlan } | { readonly kind: 'discount' }

/** Returns whether a plan has one figure of each kind and a price: it is neither free nor flexible nor for chosen projects. */
const isPlain = (plan: Plan): boolean => !('type' in plan) || plan.type === 'paid_fix' || plan.type === 'paid_month'

/** Returns a new plan with the values of another one. There is one free plan. */
function copyOf(plan: Plan): EditedPlan {
  const isFree = 'type' in plan && plan.type === 'free'
  const type = 'channel_max' in plan ? 'paid_fix' : 'paid_month'
  return { ...plan, id: undefined, active: true, ...(isFree && { type }) }
}
const noTitles = Object.fromEntries(languages.map((language) => [`title_${language}`, null]))

/** Catalogue of a line: its plans in their order, and its discounts. */
function LineCard({ line, catalogue }: { line: LineName; catalogue: Catalogue }) {
  const { t } = useTranslation('operator')
  const language = useLanguage()
  const why = useFailureText('operator')
  const { list } = usePunctuation()
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
        discounts: periodNames
          .filter((period) => period === 'month' || discounts[period] > 0)
          .map((period) => t(`plans.discountOf.${period}`, { percent: formatPercent(discounts[period], language) }))
          .join(list),
      })}
      actions={
        <div className={styles.actions}>
          <Button look="outline" onClick={() => setOpen({ kind: 'discount' })}>
            {t('plans.changeDiscounts')}
          </Button>
          {template && (
            <Button
              look="outline"
              onClick={() => setOpen({ kind: 'edit', plan: { ...copyOf(template), ...noTitles, title: '' } })}
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
            onCopy={() => setOpen({ kind: 'edit', plan: { ...copyOf(plan), title: t('plan.copyOf', plan) } })}
          />
        ))}
      </RowList>
      <Note tone="live">{order.error && why(order.error)}</Note>
      {open?.kind === 'edit' && (
        <PlanDialog
          line={line}
          plan={open.plan}
          discount={{ ...discounts, sold: catalogue.periods.flatMap(({ period, sold }) => (sold ? period : [])) }}
          recordLimit={catalogue.record_limit}
          onClose={close}
        />
      )}
      {(open?.kind === 'archive' || open?.kind === 'sell' || open?.kind === 'remove') && (
        <PlanActionDialog line={line} plan={open.plan} action={open.kind} onClose={close} />
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
  readonly onOpen: (kind: 'edit' | 'assign' | PlanAction) => void
  readonly onCopy: () => void
}

function PlanRow({ plan, isFirst, onUp, onOpen, onCopy }: RowProps) {
  const { t } = useTranslation('operator')
  const language = useLanguage()
  const prices = currencyCodes.flatMap((currency) => {
    const price = plan[`price_${currency}`]
    return price === null ? [] : [formatMoney(price, currency, language)]
  })
  const isFree = 'type' in plan && plan.type === 'free'
  const price = prices.join(' · ')
  const priceText = price && 'size_min' in plan ? t('plans.perGb', { price }) : price || t('plans.noPrice')
  return (
    <Row
      title={plan.title}
      about={[priceText, t('plans.projects', { count: plan.projects })].join(' · ')}
      actions={
        <>
          {!plan.active && <Badge tone="warn">{t('plans.archived')}</Badge>}
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
          <Menu
            target={<IconDots size={18} aria-hidden />}
            targetClassName={iconButtonClass}
            label={t('plans.more', { title: plan.title })}
          >
            <button type="button" className={menuItemClass} onClick={onCopy}>
              {t('plan.duplicate')}
            </button>
            {!isFree && (
              <>
                <button
                  type="button"
                  className={menuItemClass}
                  onClick={() => onOpen(plan.active ? 'archive' : 'sell')}
                >
                  {t(`planAction.${plan.active ? 'archive' : 'sell'}.open`)}
                </button>
                <button type="button" className={menuItemClass} onClick={() => onOpen('remove')}>
                  {t('planAction.remove.open')}
                </button>
              </>
            )}
          </Menu>
        </>
      }
    />
  )
}

interface AssignDialogProps {
  readonly line: LineName
  readonly plan: EditedPlan
  readonly onClose: () => void
}

/** Shows an unlisted plan to a project, or hides it from one that sees it. */
function AssignDialog({ line, plan, onClose }: AssignDialogProps) {
  const { t } = useTranslation('operator')
  const { list } = usePunctuation()
  const { assigned = [] } = plan as { readonly assigned?: readonly number[] }
  const isAssigned = (project: string) => assigned.includes(Number(project))
  const form = useWriteForm({
    op: plans.assign,
    area: 'operator',
    values: { project: '', reason: '' },
    inputOf: ({ project, reason }) => ({
      line,
      plan_id: plan.id ?? 0,
      target_project_id: Number(project.trim() || Number.NaN),
      assigned: !isAssigned(project),
      reason: reason.trim(),
    }),
    wireNames: { target_project_id: 'project' },
    refusals: { ProjectNotFound: 'project' },
    messages: { project: t('plan.wholeInvalid') },
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={t('assign.title', { title: plan.title })}
      confirm={t(isAssigned(form.values.project) ? 'assign.hide' : 'assign.show')}
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <p className={styles.quiet}>
        {assigned.length === 0 ? t('assign.none') : t('assign.to', { projects: assigned.join(list) })}
      </p>
      <TextField label={t('assign.project')} inputMode="numeric" {...form.field('project')} />
    </ReasonDialog>
  )
}
import { PeriodsCard } from './periods-card.tsx'

/** Catalogues of all lines, and the periods that are sold. */
export function PlansPart() {
  const { t } = useTranslation('operator')
  const query = useQuery(q(plans.list, {}))
  return (
    <div className={styles.parts}>
      <QueryPart query={query} failed={t('plans.failed')} skeleton={<Skeleton height={480} />}>
        {(catalogue) => (
          <>
            {lineNames.map((line) => (
              <LineCard key={line} line={line} catalogue={catalogue} />
            ))}
            <PeriodsCard periods={catalogue.periods} />
          </>
        )}
      </QueryPart>
    </div>
  )
}
