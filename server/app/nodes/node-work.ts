// Work that nodes take beside encoders: runs of schedules, and remote sources.
import type { Trx } from '#server/db/open.ts'
import { wakeRunsOfNode } from '#server/domain/broadcasts/plays.ts'
import { wakeRemotesOfNode } from '#server/domain/ingest/remote-sources.ts'

/** Returns whether a node takes work, by its report. */
export const takesWork = ({ plays, remote, full, drainUntil }: Readonly<Record<string, unknown>>): boolean =>
  (plays === true || remote === true) && full !== true && typeof drainUntil !== 'number'

/**
 * Looks at the work of a node that disconnected, or drains; null: at work without a node, because one takes it now.
 * @param backMs time that the node has to come back, milliseconds; the runs know theirs
 */
export async function wakeWork(trx: Trx, node: string | null, backMs = 0): Promise<void> {
  await wakeRunsOfNode(trx, node)
  await wakeRemotesOfNode(trx, node, backMs)
}
