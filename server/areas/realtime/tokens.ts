// Realtime tokens over HTTP, and the list of channels.
import { type ChannelKind, tokens } from '#contract/areas/realtime/tokens.ts'
import { channelName } from '#contract/events/channels.ts'
import { implement } from '#server/core/implement.ts'
import { signChannel, signConnection, tokenSeconds } from '#server/domain/realtime/tokens.ts'

const kind = (
  channel_type: ChannelKind['channel_type'],
  channel_pattern: string,
  response_schema: string,
  events: readonly string[],
  description: string,
): ChannelKind => ({
  channel_type,
  channel_pattern,
  required_params: ['project_id', 'broadcast_id', 'template_id', 'media_id'].filter(
    (name) => name === 'project_id' || channel_pattern.includes(name),
  ),
  requires_token: channel_pattern.startsWith('$'),
  response_schema,
  events: [...events],
  description,
})

const catalogue: readonly ChannelKind[] = [
  kind(
    'project',
    'project#{project_id}',
    'ProjectEvent',
    ['stream-start', 'stream-end', 'notification', 'important-event', 'project-update', 'payment-update'],
    'What happens to a project; open to the connections of the project',
  ),
  kind(
    'channels',
    '$project_channels:{project_id}',
    'ChannelEvent',
    ['channel-started', 'channel-stopped', 'channel-status'],
    'What the channels of a project do; for editors',
  ),
  kind(
    'broadcast',
    '$broadcast:{broadcast_id}',
    'BroadcastPublication',
    ['restreams.started', 'restreams.stopped', 'broadcast.ended', 'views', 'messages'],
    'What the channels of one broadcast do, and batches of changes of its chat',
  ),
  kind('broadcast_restreams', '$broadcast_restreams:{broadcast_id}', 'RestreamUrl', [], 'Where people can watch'),
  kind(
    'broadcast_restream_stats',
    '$broadcast_restream_stats:{broadcast_id}',
    'RestreamStats',
    [],
    'Viewers, messages and likes of a channel',
  ),
  kind(
    'project_live',
    '$project_live:{project_id}',
    'LiveEvent',
    ['live-status', 'broadcast-event', 'changed'],
    'The whole status each second on air, new events, and what else to ask for again',
  ),
  kind(
    'widget_template',
    '$widget_template:{template_id}',
    'WidgetEvent',
    ['widget-template-payload'],
    'Changed settings of a widget',
  ),
  kind('media_file', '$media_file:{media_id}', 'MediaFileEvent', ['media-file'], 'Upload and preparation of a film'),
]

export const tokenRoutes = implement(tokens, {
  connect: async ({ project_id }, ctx) => ({
    access_token: signConnection(ctx, project_id, ctx.user),
    expires_in: tokenSeconds.connection,
  }),

  channel: async ({ channel_name }, ctx) => ({
    access_token: await signChannel(ctx, ctx.project, channel_name, ctx.user),
    expires_in: tokenSeconds.channel,
    channel: channel_name,
  }),

  channels: () => ({ results: [...catalogue] }),

  auth: async ({ project_id }, ctx) => ({ access_token: signConnection(ctx, project_id, ctx.user) }),

  project: async ({ project_id }, ctx) => ({
    access_token: await signChannel(ctx, ctx.project, channelName('channels', project_id), ctx.user),
  }),

  broadcast: async ({ broadcast_id }, ctx) => ({
    access_token: await signChannel(ctx, ctx.project, channelName('broadcast', broadcast_id), ctx.user),
  }),
})
