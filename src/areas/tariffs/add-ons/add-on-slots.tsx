import type { AddOnName } from '#src/components/plan-cards/add-on-card.tsx'
import { useTranslation } from 'react-i18next'
import { Fact } from '#src/ui/fact-list.tsx'
import { addOns, type AddOnSlot, useUnitWords } from '#src/areas/tariffs/lines.ts'
import { PeriodBar } from '#src/areas/tariffs/slots/period-bar.tsx'
import type { Known } from '#src/areas/tariffs/queries.ts'
import { SlotCard } from '#src/areas/tariffs/slots/slot-card.tsx'
import styles from '#src/areas/tariffs/slots/slots.module.css'
import { unitsOf, useAddOnQuote } from './add-on-queries.ts'
import { RenewalPart } from '#src/components/renewal.tsx'
import { CancelPlan } from '#src/areas/tariffs/slots/cancel-plan.tsx'

interface Props {
  readonly line: AddOnName
  readonly slots: Readonly<Partial<Record<'before' | 'current' | 'next', AddOnSlot | null | undefined>>>
  /** Start of the running plan. */
  readonly start: string | null
  readonly known: Pick<Known, 'projectId' | 'currency' | 'canBuy'>
  readonly onCancelled: (sentence: string) => void
}

/** Plans of an add-on line in chronological order, as low cards. */
export function AddOnSlots({ line, slots, start, known, onCancelled }: Props) {
  const { t } = useTranslation('tariffs')
  const { valueOf, wordsOf } = useUnitWords(line)
  const { before, current, next } = slots
  const factsOf = (slot: AddOnSlot | null | undefined) =>
    slot &&
    addOns[line].facts.map((fact) => (
      <Fact key={fact} name={t(`fact.${fact}`)}>
        {valueOf(fact, slot)}
      </Fact>
    ))
  const card = (slot: AddOnSlot | null | undefined) => ({
    slot,
    title: slot?.title,
    facts: factsOf(slot),
    line: slot ? t('addOn.line', { plan: slot.title, units: wordsOf(slot) }) : undefined,
  })
  const isRenewed = !next && current?.prolongation === 1
  const end = t(line === 'transcoding' ? 'addOn.transcoding.then' : 'addOn.storage.then')
  const then = next
    ? t('period.then', { plan: t('addOn.line', { plan: next.title, units: wordsOf(next) }) })
    : isRenewed
      ? t('period.thenRenewed')
      : end
  return (
    <div className={styles.slots} data-low>
      <SlotCard name="before" {...card(before)} />
      <SlotCard name="current" {...card(current)}>
        {current && <PeriodBar start={start} end={current.date_end} then={then} isRenewed={isRenewed} />}
        {current?.date_end && !next && <RenewalPart projectId={known.projectId} line={line} />}
      </SlotCard>
      <SlotCard name="next" {...card(next)}>
        {next && <CancelAddOn line={line} next={next} known={known} onCancelled={onCancelled} />}
      </SlotCard>
    </div>
  )
}

interface CancelAddOnProps {
  readonly line: AddOnName
  readonly next: AddOnSlot
  readonly known: Pick<Known, 'projectId' | 'currency' | 'canBuy'>
  readonly onCancelled: (sentence: string) => void
}

/** Cancels the queued plan of an add-on line. */
function CancelAddOn({ line, next, known, onCancelled }: CancelAddOnProps) {
  const { ops, planKey } = addOns[line]
  // A quote of the same plan would replace the queued one, and names its refund.
  const quote = useAddOnQuote(line, known.projectId, {
    planId: next.id,
    units: unitsOf(next) ?? 1,
    period: 'month',
    code: null,
  })
  return (
    <CancelPlan
      plan={next.title}
      refund={quote.data?.refund_after ?? null}
      op={ops.cancelNext}
      input={{ project_id: known.projectId, [planKey]: next.id }}
      {...{ known, onCancelled }}
    />
  )
}
