// Switches off channels that a plan does not allow; nothing is removed.
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { limitsOf, lockProject } from '#server/domain/tariffs/plan-limits.ts'
import type { Allowance } from '#server/domain/tariffs/subscriptions-slots.ts'

/** Switches off what a plan does not allow: custom destinations, then the channels that came last. */
export async function fitChannels(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  projectId: number,
  { channels, customChannels }: Pick<Allowance, 'channels' | 'customChannels'>,
  reason: 'plan_ended' | 'custom_address' = 'plan_ended',
): Promise<void> {
  await lockProject(trx, projectId)
  const active = await trx
    .selectFrom('project_channels as link')
    .innerJoin('channels', 'channels.id', 'link.channel_id')
    .select(['link.id', 'link.channel_id', 'channels.custom', 'channels.name'])
    .where('link.project_id', '=', projectId)
    .where('link.active', '=', 1)
    .orderBy('link.id')
    .execute()
  const allowed = new Set(active.filter(({ custom }) => customChannels || custom === 0).slice(0, channels))
  const excess = active.filter((row) => !allowed.has(row))
  for (const { id, channel_id: channelId, name } of excess) {
    await trx.updateTable('project_channels').set({ active: 0 }).where('id', '=', id).execute()
    await recordHistory(services, trx, {
      projectId,
      userId: null,
      action: 'project_channel_change',
      channelId,
      details: { name, active: false, reason },
    })
  }
}

/** Switches a channel off that has got a custom address, where it is shared with projects whose plans allow none. */
export async function fitGuests(
  services: Pick<Services, 'clock' | 'config'>,
  trx: Trx,
  channelId: number,
): Promise<void> {
  const projects = await trx
    .selectFrom('project_channels')
    .select('project_id as id')
    .where('channel_id', '=', channelId)
    .where('active', '=', 1)
    // In one order against deadlocks. The owner's project is locked before these, out of order: two moves can still
    // deadlock, and `transaction` tries again.
    .orderBy('project_id')
    .execute()
  for (const { id } of projects) {
    const { channelMax: channels, customChannels } = await limitsOf(services, trx, id)
    if (!customChannels) await fitChannels(services, trx, id, { channels, customChannels }, 'custom_address')
  }
}
