import { useTranslation } from 'react-i18next'
import type { RestreamSlot, RestreamSlots } from '#contract/entities/plan.ts'
import { PeriodBar } from './period-bar.tsx'
import type { Known } from '#src/areas/tariffs/queries.ts'
import { SlotCard } from './slot-card.tsx'
import { facts, isShown, differenceOf, type Fact as FactName } from './slot-facts.ts'
import styles from './slots.module.css'
import { Bitrate } from '#src/components/bitrate.tsx'
import { formatBitrate, formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Fact } from '#src/ui/fact-list.tsx'
import { useQuery } from '@tanstack/react-query'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { q } from '#src/api/query.ts'
import { RenewalPart } from '#src/components/renewal.tsx'
import { CancelPlan } from './cancel-plan.tsx'

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
        {!next && current?.date_end && <RenewalPart projectId={known.projectId} line="restream" />}
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

interface PlanFactProps {
  readonly fact: FactName
  readonly slot: RestreamSlot
  readonly neighbour: RestreamSlot | null | undefined
}

/** Fact of a slot, marked when it differs from the previous slot. */
function PlanFact({ fact, slot, neighbour }: PlanFactProps) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const textOf = (value: RestreamSlot[FactName]) => {
    if (value === null || value === undefined) return t('notReported')
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    return fact === 'bitrate_max' ? formatBitrate(value, language) : formatNumber(value, language)
  }
  const value = slot[fact]
  const way = differenceOf(fact, slot, neighbour)
  const text = way && t(`difference.${way}`, { was: textOf(neighbour?.[fact]) })
  return (
    <Fact name={t(`fact.${fact}`)} isQuiet={value === null || value === undefined}>
      {fact === 'bitrate_max' && typeof value === 'number' ? <Bitrate kbps={value} /> : <span>{textOf(value)}</span>}
      {text && (
        <span className={styles.mark} data-way={way} title={text}>
          <span aria-hidden>{way === 'up' ? '↑' : '↓'}</span>
          <span className="visually-hidden">{text}</span>
        </span>
      )}
    </Fact>
  )
}

interface CancelNextProps {
  readonly next: RestreamSlot
  readonly planId: number
  readonly known: Known
  readonly onCancelled: (sentence: string) => void
}

/** Cancels the queued restream plan. */
function CancelNext({ next, planId, known, onCancelled }: CancelNextProps) {
  const { t } = useTranslation('tariffs')
  return (
    <CancelPlan
      plan={known.titleOf(planId) ?? t('plan.byId', { id: planId })}
      refund={useRefund(next, planId, known)}
      op={restream.cancelNext}
      input={{ project_id: known.projectId, plan_restream_id: planId }}
      {...{ known, onCancelled }}
    />
  )
}

/**
 * Refund for the queued plan, from a quote that would replace it. Null before the quote has loaded, and when the quote
 * would move the queued plan instead of replacing it.
 */
function useRefund(next: RestreamSlot, planId: number, known: Known): number | null {
  const setting = known.isFlexible(planId)
    ? { channels: next.channel_max ?? undefined, bitrate: next.bitrate_max ?? undefined }
    : {}
  const quote = useQuery({
    ...q(restream.check, { project_id: known.projectId, plan_restream_id: planId, period: 'month', ...setting }),
    enabled: known.canBuy !== false,
  })
  return quote.data && quote.data.choose_status !== 'prolongate' ? (quote.data.refund_after ?? null) : null
}
