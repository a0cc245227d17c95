// History entries of shared channels, in the owning project and in the guest project.
import type { HistoryAction, HistoryDetails } from '#contract/entities/history.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { projectName } from '#server/domain/projects/projects.ts'

/** A change of a shared channel. */
export interface SharedChange {
  readonly userId: number
  readonly channelId: number
  /** Name of the channel. */
  readonly name: string
  readonly ownerId: number
  /** Null: no project accepted yet. */
  readonly guestId: number | null
  readonly action: Extract<HistoryAction, `project_channel_${string}`>
  readonly details?: HistoryDetails<'project_channel_change'>
}

/**
 * Records a change in the history of the owner and of the guest; each entry names the other project. Call it before the
 * change itself: recording waits for the lock of the projects, whose holder may wait for the changed rows.
 */
export async function recordSharedChange(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  change: SharedChange,
): Promise<void> {
  const { userId, channelId, name, ownerId, guestId, action, details } = change
  const sides =
    guestId === null
      ? ([[ownerId, null]] as const)
      : ([
          [ownerId, guestId],
          [guestId, ownerId],
        ] as const)
  for (const [projectId, otherId] of sides) {
    const other = otherId === null ? {} : { project: await projectName(trx, otherId) }
    await recordHistory(services, trx, {
      projectId,
      userId,
      action,
      channelId,
      details: { name, ...other, ...details },
    })
  }
}
