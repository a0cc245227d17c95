// Plans of all lines as choices of a select.
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { plans } from '#contract/areas/operator/plans.ts'
import { type LineName, lineNames } from '#contract/entities/plan.ts'
import { q } from '#src/api/query.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'

/** Returns the plans of all lines that are sold. @param isAssignedTo project: without unlisted plans that it does not see */
export function usePlanChoices({ isAssignedTo }: { readonly isAssignedTo?: number } = {}) {
  const { t } = useTranslation('operator')
  const { colon } = usePunctuation()
  const catalogue = useQuery(q(plans.list, {})).data
  const isSeen = ({ listed, assigned }: { readonly listed: boolean; readonly assigned: readonly number[] }) =>
    isAssignedTo === undefined || listed || assigned.includes(isAssignedTo)
  return lineNames.flatMap((line) =>
    (catalogue?.[line] ?? [])
      .filter((plan) => plan.active && !('type' in plan && plan.type === 'free') && isSeen(plan))
      .map(({ id, title }) => ({ value: `${line} ${id}`, label: t(`line.${line}`) + colon + title })),
  )
}

/** Returns the line and the id of a chosen plan. */
export function lineAndPlan(value = 'restream 0'): { readonly line: LineName; readonly plan_id: number } {
  const [line, id] = value.split(' ')
  return { line: line as LineName, plan_id: Number(id) }
}
