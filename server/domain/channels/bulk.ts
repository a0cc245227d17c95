// Changes of many channels of a project, in one transaction.
import { rightCan } from '#contract/entities/roles.ts'
import type { Services, User } from '#server/core/context.ts'
import { ForbiddenError } from '#server/core/errors.ts'
import { projectTransaction, transaction } from '#server/db/transaction.ts'
import { recordChange } from './channel-history.ts'
import { listProjectLinks, updateActive } from './links-store.ts'
import { listAllChannels, updateChannel } from './store.ts'
import { refuseOverLimit } from '#server/domain/tariffs/plan-limits.ts'
import { readSettings, type StoredSettings } from './stream-info.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'

/**
 * Switches channels of a project on or off: all of them, or none.
 * @throws ForbiddenError when the project has no editor access to one of them; RuleError `PlanLimitReached`
 */
export function switchChannels(
  services: Services,
  user: User,
  { projectId, channelIds, active }: { projectId: number; channelIds: readonly number[]; active: boolean },
): Promise<void> {
  return projectTransaction(services.db, projectId, async (trx) => {
    await lockProject(trx, projectId)
    const wanted = new Set(channelIds)
    const all = await listProjectLinks(trx, projectId)
    const rows = all.filter((row) => wanted.has(row.channel_id))
    if (rows.length !== wanted.size || rows.some((row) => !rightCan(row.access_type, 'editor')))
      throw new ForbiddenError()
    const changed = rows.filter((row) => (row.active === 1) !== active)
    if (changed.length === 0) return
    if (active) {
      if (changed.some(({ custom }) => custom === 1)) {
        await refuseOverLimit(services, trx, projectId, 'custom_channels', 1)
      }
      const running = all.filter((row) => row.active === 1).length
      await refuseOverLimit(services, trx, projectId, 'channels', running + changed.length)
    }
    const ids = changed.map((row) => row.channel_id)
    await updateActive(trx, projectId, ids, active ? 1 : 0)
    for (const { channel_id: channelId, name } of changed) {
      await recordChange(services, trx, user, { projectId, channelId }, { name, active })
    }
  })
}

/**
 * Merges changes into the stream settings of channels. Settings that are not named stay; removed channels are ignored.
 * @throws RuleError `PlanLimitReached`
 */
export function mergeSettings(
  services: Services,
  user: User,
  projectId: number,
  changes: ReadonlyMap<number, StoredSettings>,
): Promise<void> {
  return transaction(services.db, async (trx) => {
    await refuseOverLimit(services, trx, projectId, 'change_subject', 1)
    const rows = await listAllChannels(trx, projectId)
    for (const { id: channelId, name, settings } of rows) {
      const change = changes.get(channelId)
      if (!change) continue
      const merged = JSON.stringify({ ...readSettings(settings), ...change })
      await updateChannel(trx, channelId, { settings: merged })
      await recordChange(services, trx, user, { projectId, channelId }, { name, settings: Object.keys(change) })
    }
  })
}
