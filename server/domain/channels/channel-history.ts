// History entries of channels.
import type { HistoryDetails } from '#contract/entities/history.ts'
import type { Services, User } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import type { ChannelInProject } from './channels.ts'

/** Records a change of a channel in the history of the project. */
export const recordChange = (
  services: Services,
  trx: Trx,
  user: User,
  { projectId, channelId }: ChannelInProject,
  details: HistoryDetails<'project_channel_change'>,
): Promise<void> =>
  recordHistory(services, trx, {
    projectId,
    userId: user.id,
    action: 'project_channel_change',
    channelId,
    details,
  })
