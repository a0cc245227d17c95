import { useTranslation } from 'react-i18next'
import type { RestreamSlots } from '#contract/entities/plan.ts'
import { CancelNext } from './cancel-next.tsx'
import { PeriodBar } from './period-bar.tsx'
import type { Known } from './queries.ts'
import { SlotCard } from './slot-card.tsx'
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
      <SlotCard name="before" slot={before} title={known.titleOf(before?.id)} />
      <SlotCard name="current" slot={current} neighbour={before} title={known.titleOf(current?.id)}>
        {current?.date_end !== undefined && (
          <PeriodBar start={current?.date_start ?? known.startOf(current)} end={current?.date_end} then={then} />
        )}
      </SlotCard>
      <SlotCard name="next" slot={next} neighbour={current} title={known.titleOf(next?.id)}>
        {next?.id !== undefined && <CancelNext next={next} planId={next.id} known={known} onCancelled={onCancelled} />}
      </SlotCard>
    </div>
  )
}

/** Text about the plan after the running one, as far as known. */
function useThen({ next }: RestreamSlots, known: Known): string {
  const { t } = useTranslation('tariffs')
  if (next?.id !== undefined)
    return t('period.then', { plan: known.titleOf(next.id) ?? t('plan.byId', { id: next.id }) })
  if (next) return t('period.thenUnnamed')
  return known.freeTitle === undefined ? t('period.thenUnknown') : t('period.then', { plan: known.freeTitle })
}
