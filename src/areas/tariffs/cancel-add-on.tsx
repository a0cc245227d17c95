import { unitsOf, useAddOnQuote } from './add-on-queries.ts'
import { CancelPlan } from './cancel-plan.tsx'
import { type AddOnName, addOns, type AddOnSlot } from './lines.ts'
import type { Known } from './queries.ts'

interface Props {
  readonly line: AddOnName
  readonly next: AddOnSlot
  readonly known: Pick<Known, 'projectId' | 'currency' | 'canBuy'>
  readonly onCancelled: (sentence: string) => void
}

/** Cancels the queued plan of an add-on line. */
export function CancelAddOn({ line, next, known, onCancelled }: Props) {
  const { ops, planKey } = addOns[line]
  // A quote of the same plan would replace the queued one, and names its refund.
  const quote = useAddOnQuote(line, known.projectId, {
    planId: next.id,
    units: unitsOf(next) ?? 1,
    period: 'month',
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
