// When a plan ends, channels that the next one has no room for are switched off; nothing is removed.
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { recordHistory } from './history.ts'
import { lockProject } from './plan-limits.ts'
import { isCustom } from './platform-table.ts'
import type { Allowance } from './subscriptions-slots.ts'

/** Switches off what a plan does not allow: custom destinations, then the channels that came last. */
export async function fitChannels(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  projectId: number,
  { channels, customChannels }: Pick<Allowance, 'channels' | 'customChannels'>,
): Promise<void> {
  await lockProject(trx, projectId)
  const active = await trx
    .selectFrom('project_channels as link')
    .innerJoin('channels', 'channels.id', 'link.channel_id')
    .select(['link.id', 'link.channel_id', 'channels.type', 'channels.name'])
    .where('link.project_id', '=', projectId)
    .where('link.active', '=', 1)
    .orderBy('link.id')
    .execute()
  const allowed = new Set(active.filter(({ type }) => customChannels || !isCustom(type)).slice(0, channels))
  const excess = active.filter((row) => !allowed.has(row))
  for (const { id, channel_id: channelId, name } of excess) {
    await trx.updateTable('project_channels').set({ active: 0 }).where('id', '=', id).execute()
    await recordHistory(services, trx, {
      projectId,
      userId: null,
      action: 'project_channel_change',
      channelId,
      details: { name, active: false, reason: 'plan_ended' },
    })
  }
}
