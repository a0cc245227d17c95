// Filter and details that both views of the ledger share.
import { chosenOf, moneyFlows } from '#contract/entities/money.ts'
import { utc } from '#server/core/clock.ts'

interface Wanted {
  readonly project_id: number
  readonly date_from?: string | undefined
  readonly date_to?: string | undefined
}

/** Reads the filter of a list. @param flows names or places of movement types, separated by commas */
export const filterOf = ({ project_id, date_from, date_to }: Wanted, flows: string | undefined) => ({
  projectId: project_id,
  from: date_from && utc(date_from),
  to: date_to && utc(date_to),
  flows: chosenOf(flows, moneyFlows) ?? [],
})

/** Reads the purpose of a movement from its JSON: a title, and for a plan its period (the published `details`). */
export function purposeOf(text: string | null) {
  if (text === null) return { title: null, details: null }
  const { title, date_end } = JSON.parse(text) as { readonly title: string; readonly date_end?: string }
  return { title, details: date_end === undefined ? null : { title, date_end } }
}
