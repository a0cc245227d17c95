// What happened in a project: who, what, when. Never a secret.
import type { HistoryAction } from '#contract/entities/history.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'

/** What is kept. */
export interface HistoryEntry {
  readonly projectId: number
  /** Null for what the service did by itself. */
  readonly userId: number | null
  readonly action: HistoryAction
  readonly channelId?: number
  readonly details?: Readonly<Record<string, unknown>>
}

/** Notes a change, inside the transaction that makes it. */
export async function recordHistory(
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  { projectId, userId, action, channelId, details }: HistoryEntry,
): Promise<void> {
  await trx
    .insertInto('project_history')
    .values({
      project_id: projectId,
      user_id: userId,
      action,
      channel_id: channelId ?? null,
      details: details ? JSON.stringify(details) : null,
      date_create: iso(clock.now()),
    })
    .execute()
}
