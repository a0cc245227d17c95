// Switches off channels that exceed a plan. Removes nothing.
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { limitsOf } from '#server/domain/tariffs/plan-limits.ts'
import { listProjectLinks, listProjectsOfChannel, updateLink } from './links-store.ts'
import type { Allowance } from '#server/domain/tariffs/subscriptions-slots.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'

/** Switches off channels that exceed a plan: custom destinations first, then the channels that were added last. */
export async function fitChannels(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  projectId: number,
  { channels, customChannels }: Pick<Allowance, 'channels' | 'customChannels'>,
  reason: 'plan_ended' | 'custom_address' = 'plan_ended',
): Promise<void> {
  await lockProject(trx, projectId)
  const active = (await listProjectLinks(trx, projectId)).filter((link) => link.active === 1)
  const allowed = new Set(active.filter(({ custom }) => customChannels || custom === 0).slice(0, channels))
  const excess = active.filter((row) => !allowed.has(row))
  for (const { id, channel_id: channelId, name } of excess) {
    await updateLink(trx, id, { active: 0 })
    await recordHistory(services, trx, {
      projectId,
      userId: null,
      action: 'project_channel_change',
      channelId,
      details: { name, active: false, reason },
    })
  }
}

/** Switches off a channel with a new custom address in projects whose plans allow none. They are locked. */
export async function fitGuests(
  services: Pick<Services, 'clock' | 'config'>,
  trx: Trx,
  channelId: number,
): Promise<void> {
  // Also projects where it is off: one may be switching it on, and commits while this waits for the lock of the project.
  for (const id of await listProjectsOfChannel(trx, channelId)) {
    const { channels, support_custom_channel: customChannels } = await limitsOf(services, trx, id)
    if (!customChannels) await fitChannels(services, trx, id, { channels, customChannels }, 'custom_address')
  }
}
