import { useTranslation } from 'react-i18next'
import type { RestreamSlot, RestreamSlots } from '#contract/entities/plan.ts'
import { CancelNext } from './cancel-next.tsx'
import { PeriodBar } from './period-bar.tsx'
import type { Known } from './queries.ts'
import { PlanFact } from './plan-fact.tsx'
import { SlotCard } from './slot-card.tsx'
import { facts, isShown } from './slot-facts.ts'
import styles from './slots.module.css'

interface Props {
  readonly slots: RestreamSlots
  readonly known: Known
  readonly onCancelled: (sentence: string) => void
}

/** Plans of a project in chronological order. */
export function SlotsPart({ slots, known, onCancelled }: Props) {
  const { before, current, next } = slots
  const then = useThen(slots, known)
  return (
    <div className={styles.slots}>
      <SlotCard name="before" slot={before} title={known.titleOf(before?.id)} facts={factsOf(before, null)} />
      <SlotCard name="current" slot={current} title={known.titleOf(current?.id)} facts={factsOf(current, before)}>
        {current?.date_end !== undefined && (
          <PeriodBar
            start={current?.date_start ?? known.startOf(current)}
            end={current?.date_end}
            then={then}
            isRenewed={!next && known.isRenewed}
          />
        )}
      </SlotCard>
      <SlotCard name="next" slot={next} title={known.titleOf(next?.id)} facts={factsOf(next, current)}>
        {next?.id !== undefined && <CancelNext next={next} planId={next.id} known={known} onCancelled={onCancelled} />}
      </SlotCard>
    </div>
  )
}

type Slot = RestreamSlot | null | undefined

/** Facts of a slot, marked where they differ from the previous slot. */
const factsOf = (slot: Slot, neighbour: Slot) =>
  slot &&
  facts
    .filter((fact) => isShown(fact, slot))
    .map((fact) => <PlanFact key={fact} fact={fact} slot={slot} neighbour={neighbour} />)

/** Text about the plan after the running one, as far as known. */
function useThen({ next }: RestreamSlots, known: Known): string {
  const { t } = useTranslation('tariffs')
  if (next?.id !== undefined)
    return t('period.then', { plan: known.titleOf(next.id) ?? t('plan.byId', { id: next.id }) })
  if (next) return t('period.thenUnnamed')
  if (known.isRenewed) return t('period.thenRenewed')
  return known.freeTitle === undefined ? t('period.thenUnknown') : t('period.then', { plan: known.freeTitle })
}
