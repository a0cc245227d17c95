// SQL of the channels behind chats: of a broadcast, or of a project.
import { channelRightsFor } from '#contract/entities/roles.ts'
import type { ReadDb } from '#server/db/open.ts'

/** Access to a channel with which a project may stream to it, and so read and write its chat. */
export const withChat = channelRightsFor('editor')

const channelColumns = [
  'channels.id as channel_id',
  'channels.type',
  'channels.name as channel_name',
  'channels.external_id',
  'channels.channel_url',
  'channels.account_id',
  'account.status as account_status',
  'account.scopes as account_scopes',
  'telegram.chat_id as telegram_chat_id',
] as const

/**
 * Returns the channels that received broadcasts. A removed channel is left out, and one that its owner no longer shares with
 * the project, or shares for viewing only.
 */
export async function listBroadcastChannels(db: ReadDb, broadcastIds: readonly number[]) {
  if (broadcastIds.length === 0) return []
  return db
    .selectFrom('restreams')
    .innerJoin('broadcasts', 'broadcasts.id', 'restreams.broadcast_id')
    .innerJoin('channels', 'channels.id', 'restreams.channel_id')
    .innerJoin('project_channels as link', (join) =>
      join
        .onRef('link.project_id', '=', 'broadcasts.project_id')
        .onRef('link.channel_id', '=', 'channels.id')
        .on('link.access_type', 'in', withChat),
    )
    .leftJoin('platform_accounts as account', 'account.id', 'channels.account_id')
    .leftJoin('telegram_chats as telegram', 'telegram.channel_id', 'channels.id')
    .leftJoin('broadcast_targets as target', (join) =>
      join
        .onRef('target.broadcast_id', '=', 'restreams.broadcast_id')
        .onRef('target.channel_id', '=', 'restreams.channel_id'),
    )
    .select(channelColumns)
    .select(['restreams.id as restream_id', 'restreams.broadcast_id', 'target.video_id'])
    .where('restreams.broadcast_id', 'in', broadcastIds)
    .orderBy('restreams.id')
    .execute()
}

/** Returns the channels of a project that are switched on. */
export const listProjectChannels = (db: ReadDb, projectId: number) =>
  db
    .selectFrom('project_channels')
    .innerJoin('channels', 'channels.id', 'project_channels.channel_id')
    .leftJoin('platform_accounts as account', 'account.id', 'channels.account_id')
    .leftJoin('telegram_chats as telegram', 'telegram.channel_id', 'channels.id')
    .select(channelColumns)
    .where('project_channels.project_id', '=', projectId)
    .where('project_channels.active', '=', 1)
    .orderBy('channels.id')
    .execute()

/** A channel, of a broadcast or of a project. */
export type ChatChannelRow = Awaited<ReturnType<typeof listProjectChannels>>[number]
