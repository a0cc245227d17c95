import { useTranslation } from 'react-i18next'
import { Fact } from '#src/ui/fact-list.tsx'
import { CancelAddOn } from './cancel-add-on.tsx'
import { type AddOnName, addOns, type AddOnSlot } from './lines.ts'
import { PeriodBar } from './period-bar.tsx'
import type { Known } from './queries.ts'
import { SlotCard } from './slot-card.tsx'
import styles from './slots.module.css'
import { useUnitWords } from './unit-words.ts'

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
      </SlotCard>
      <SlotCard name="next" {...card(next)}>
        {next && <CancelAddOn line={line} next={next} known={known} onCancelled={onCancelled} />}
      </SlotCard>
    </div>
  )
}
