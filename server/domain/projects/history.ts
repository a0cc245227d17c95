// History of a project: actor, action, time. Never holds a secret.
import type { HistoryChange } from '#contract/entities/history.ts'
import type { LineName } from '#contract/entities/plan.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { insertHistory } from './history-store.ts'

/** A change to record. */
export type HistoryEntry = HistoryChange & {
  readonly projectId: number
  /** Actor; null for changes by the service itself. */
  readonly userId: number | null
  readonly channelId?: number
}

/** Line of plans in the details of an entry. Restream is not named: earlier releases had no other line. */
export const lineDetails = (line: LineName): { readonly line?: LineName } => (line === 'restream' ? {} : { line })

/** Records a change, inside the transaction that makes it. */
export function recordHistory(
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  { projectId, userId, action, channelId, details }: HistoryEntry,
): Promise<void> {
  return insertHistory(trx, {
    project_id: projectId,
    user_id: userId,
    action,
    channel_id: channelId ?? null,
    details: details ? JSON.stringify(details) : null,
    date_create: iso(clock.now()),
  })
}
