import type { AddOnName, AddOnPlan } from '#src/components/plan-cards/add-on-card.tsx'
import { useTranslation } from 'react-i18next'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { AddOnCard } from '#src/components/plan-cards/add-on-card.tsx'
import styles from '#src/components/plan-cards/add-ons.module.css'
import { unitsOf, useAddOnQuote } from './add-on-queries.ts'
import { snap } from '#src/components/plan-cards/choice.ts'
import { addOns, type AddOnSlot, type Order, useUnitWords } from '#src/areas/tariffs/lines.ts'
import offer from '#src/components/plan-cards/offer.module.css'
import { PeriodSwitch } from '#src/components/plan-cards/period-switch.tsx'
import type { Known } from '#src/areas/tariffs/queries.ts'
import quoteStyles from '#src/areas/tariffs/quote/quote.module.css'
import { QuotePanel } from '#src/areas/tariffs/quote/quote-panel.tsx'
import { useChoice } from '#src/areas/tariffs/quote/use-choice.ts'

interface Props {
  readonly line: AddOnName
  readonly plans: readonly AddOnPlan[]
  readonly current: AddOnSlot | null
  readonly discount: Known['discount']
  readonly known: Pick<Known, 'projectId' | 'currency' | 'balance' | 'debt' | 'canBuy'>
  /** Receives a sentence about a purchase; null when the user looks at another plan. */
  readonly onBought: (sentence: string | null) => void
}

/** Plans of an add-on line as cards with a quantity each, and the quote of the selected one. */
export function AddOnCatalogue({ line, plans, current, discount, known, onBought }: Props) {
  const { t } = useTranslation('tariffs')
  const { choice, settled, isMoving, choose, adjust } = useChoice(discount?.sold)
  const { units } = useUnitWords(line)
  const quantityOf = (plan: AddOnPlan, wanted: number | null) =>
    snap(wanted ?? (current?.id === plan.id ? unitsOf(current) : undefined) ?? plan.range.min, plan.range)
  const chosen = plans.find(({ id, isForSale }) => isForSale && id === settled.planId)
  const quantity = chosen ? quantityOf(chosen, settled.units) : 0
  const quote = useAddOnQuote(
    line,
    known.projectId,
    chosen ? { planId: chosen.id, units: quantity, period: settled.period, code: settled.code } : null,
  )
  const { planKey, units: unitsKey } = addOns[line]
  const order: Order | null = chosen
    ? {
        line,
        title: chosen.title,
        words: t('plan.withSettings', { plan: chosen.title, settings: units(quantity) }),
        period: settled.period,
        request: {
          project_id: known.projectId,
          [planKey]: chosen.id,
          [unitsKey]: quantity,
          period: settled.period,
          promo_code: settled.code ?? undefined,
        },
      }
    : null
  return (
    <>
      <p className={offer.hint}>{t(`addOn.${line}.hint`)}</p>
      <div className={styles.bar}>
        <PeriodSwitch period={choice.period} discount={discount} onChange={(period) => choose({ period })} />
        {known.balance !== null && (
          <p className={styles.balance}>
            {t('balance')} <MoneyAmount amountMinor={known.balance} currency={known.currency} />
          </p>
        )}
      </div>
      <div className={styles.cards} data-line={line}>
        {plans.map((plan) => (
          <AddOnCard
            key={plan.id}
            line={line}
            plan={plan}
            quantity={quantityOf(plan, choice.planId === plan.id ? choice.units : null)}
            period={choice.period}
            discount={discount}
            isCurrent={current?.id === plan.id}
            isChosen={plan.id === choice.planId}
            currency={known.currency}
            onChoose={() => {
              onBought(null)
              choose({ planId: plan.id, units: quantityOf(plan, choice.planId === plan.id ? choice.units : null) })
            }}
            onAdjust={(wanted) => {
              onBought(null)
              adjust({ planId: plan.id, units: wanted })
            }}
          />
        ))}
      </div>
      <div className={quoteStyles.dock} aria-live="polite">
        {order && (
          <QuotePanel
            order={order}
            quote={quote}
            isMoving={isMoving}
            onCode={(code) => choose({ code })}
            known={known}
            onBought={(sentence) => {
              choose({ planId: null, units: null, code: null })
              onBought(sentence)
            }}
          />
        )}
      </div>
    </>
  )
}
