// Operations that are known and not served yet: nothing is declared about them but where they are.
// A group that gets its own file loses its lines here; a test holds that nothing is in both places.

/** A group, or the rest of one, that is not served yet. */
export interface NotServedGroup {
  readonly area: string
  readonly name: string
  /** The group's name in the brief, or in the published description where the brief does not list it. */
  readonly title: string
  /** `METHOD path`, and the brief's name of the operation where the brief lists it. Paths are below `/method/`. */
  readonly operations: readonly (readonly [route: string, briefName?: string])[]
}

export const notServed: readonly NotServedGroup[] = [
  {
    area: 'analytics', name: 'analytics', title: 'Analytics',
    operations: [
      ['GET analytics/broadcast/messages'],
      ['GET analytics/stream/events', 'Events for stream'],
      ['GET analytics/stream/graph/bitrate', 'Bitrate for stream'],
      ['GET analytics/stream/graph/viewers', 'Viewers for stream'],
    ],
  },
  {
    area: 'account', name: 'auth', title: 'Auth',
    operations: [
      ['POST auth/GetClientConfiguration'],
    ],
  },
  {
    area: 'help', name: 'blog-pages', title: 'BlogPage',
    operations: [
      ['GET blog/page/get', 'Get page'],
      ['GET blog/page/list', 'Get list of pages'],
    ],
  },
  {
    area: 'help', name: 'blog-tags', title: 'BlogPageTag',
    operations: [
      ['GET blog/tag/list', 'Get list of pages'],
    ],
  },
  {
    area: 'broadcasts', name: 'broadcasts', title: 'Broadcast',
    operations: [
      ['GET broadcast'],
      ['GET broadcast/credentials'],
      ['GET broadcast/events'],
      ['GET broadcast/events/item'],
      ['GET broadcast/graph/bitrate'],
      ['GET broadcast/graph/viewers'],
      ['GET broadcast/list'],
      ['GET broadcast/longpoll', 'Connect channel, long polling'],
      ['POST broadcast/pause'],
      ['POST broadcast/play'],
      ['GET broadcast/restreams', 'Get restreams'],
      ['GET broadcast/restreams-chat'],
      ['GET broadcast/status'],
      ['POST broadcast/stop'],
    ],
  },
  {
    area: 'realtime', name: 'tokens', title: 'Centrifuge',
    operations: [
      ['GET centrifuge', 'Auth centrifuge'],
      ['GET centrifuge/auth/channel'],
      ['GET centrifuge/auth/connect'],
      ['GET centrifuge/auth/project', 'Auth token for project'],
      ['GET centrifuge/channels'],
      ['GET centrifuge/token/broadcast', 'Auth token for broadcast'],
    ],
  },
  {
    area: 'channels', name: 'add-channel', title: 'Channel',
    operations: [
      ['POST channel/add/bizon'],
      ['POST channel/add/boosty'],
      ['POST channel/add/custom'],
      ['POST channel/add/douyu'],
      ['POST channel/add/fb'],
      ['POST channel/add/fc2Live'],
      ['POST channel/add/getcourse'],
      ['POST channel/add/goodgame'],
      ['POST channel/add/huya'],
      ['POST channel/add/instagram'],
      ['POST channel/add/kick'],
      ['POST channel/add/kinescope'],
      ['POST channel/add/linkedin'],
      ['POST channel/add/navertv'],
      ['POST channel/add/nimotv'],
      ['POST channel/add/nonolive'],
      ['POST channel/add/ok'],
      ['POST channel/add/plvideo'],
      ['POST channel/add/rutube'],
      ['POST channel/add/srt'],
      ['POST channel/add/steam'],
      ['POST channel/add/tachid'],
      ['POST channel/add/telegram'],
      ['POST channel/add/tiktok'],
      ['POST channel/add/vk'],
      ['POST channel/add/vlive'],
      ['POST channel/add/zhanqitv'],
    ],
  },
  {
    area: 'channels', name: 'channels', title: 'Channel',
    operations: [
      ['POST channel/delete', 'Delete channel'],
      ['GET channel/get'],
      ['GET channel/search', 'Search channel list'],
      ['GET channel/set-delay'],
      ['POST channel/set-status', 'Get live status'],
      ['GET channel/short', 'Minimal channel list'],
    ],
  },
  {
    area: 'channels', name: 'settings', title: 'Channel settings',
    operations: [
      ['POST channel_settings/bulkUpdate'],
      ['GET channel_settings/getStatus', 'Get status platform'],
      ['GET channel_settings/options/getPlanned', 'Get planned list'],
      ['GET channel_settings/options/getPlaylist', 'Get playlists from the platform'],
      ['POST channel_settings/options/setOk', 'Optional settings per platform (ok)'],
      ['POST channel_settings/options/setPlanned', 'Set planned id'],
      ['POST channel_settings/options/setTrovo', 'Optional settings per platform (trovo)'],
      ['POST channel_settings/options/setTwitch', 'Optional settings per platform (twitch)'],
      ['POST channel_settings/options/setVk', 'Optional settings per platform (vk)'],
      ['POST channel_settings/options/setVkVideoLive', 'Optional settings per platform (vk video live)'],
      ['POST channel_settings/options/setYoutube', 'Optional settings per platform (youtube)'],
      ['POST channel_settings/setName', 'Set name for a custom channel'],
      ['POST channel_settings/setRtmp', 'Set rtmp url for a custom channel'],
      ['POST channel_settings/setSrt'],
      ['POST channel_settings/setTranscoder', 'Set transcoder for a channel'],
      ['GET channel_settings/update-token'],
    ],
  },
  {
    area: 'channels', name: 'telegram-chat', title: 'Channel settings',
    operations: [
      ['POST channel_settings/chat/setTelegram', 'Optional settings per platform (telegram)'],
      ['GET channel_settings/chat/telegram/disconnect', 'Disconnect chat'],
      ['GET channel_settings/chat/telegram/init', 'Get code for connected chat'],
      ['GET channel_settings/chat/telegram/posts', 'Get post list'],
      ['GET channel_settings/chat/telegram/posts/get-by-filter', 'Get post by filter'],
      ['GET channel_settings/chat/telegram/setting', 'Get settings'],
      ['POST channel_settings/chat/telegram/setting', 'Set settings'],
    ],
  },
  {
    area: 'chat', name: 'chat', title: 'Chat gateway',
    operations: [
      ['GET chat/key'],
      ['GET chat/messages', 'List history message'],
      ['POST chat/messages', 'Send message'],
      ['POST chat/messages/delete', 'Remove message'],
      ['GET chat/messages/message', 'Get one message'],
    ],
  },
  {
    area: 'help', name: 'articles', title: 'HelpPage',
    operations: [
      ['GET help/page/get', 'Get page'],
      ['GET help/page/search', 'Get list of pages'],
      ['GET help/page/structure', 'Get structure of help pages'],
    ],
  },
  {
    area: 'broadcasts', name: 'live', title: 'Live',
    operations: [
      ['GET live/restreams', 'View live info'],
    ],
  },
  {
    area: 'media', name: 'files', title: 'Media service files',
    operations: [
      ['POST media-service-files/add'],
      ['POST media-service-files/cancel'],
      ['POST media-service-files/delete'],
      ['GET media-service-files/get'],
      ['GET media-service-files/list'],
      ['GET media-service-files/session'],
      ['POST media-service-files/set'],
      ['POST media-service-files/update'],
    ],
  },
  {
    area: 'realtime', name: 'widgets', title: 'Integration template',
    operations: [
      ['GET integration-template/widget/get'],
    ],
  },
  {
    area: 'billing', name: 'money-flow', title: 'MoneyFlow',
    operations: [
      ['GET money_flow/list', 'Transaction list for frontend'],
    ],
  },
  {
    area: 'notifications', name: 'history', title: 'NotifyHistory',
    operations: [
      ['GET notify_history/get', 'Get item by id'],
      ['GET notify_history/get_status', 'Get unread status'],
      ['GET notify_history/list', 'Get list of my notifications'],
      ['PUT notify_history/read', 'Set one as read'],
      ['POST notify_history/run_action', 'Run action in notify item'],
      ['POST notify_history/set_all_cabinet_read', 'Set all as read'],
    ],
  },
  {
    area: 'notifications', name: 'settings', title: 'NotifyUser',
    operations: [
      ['POST notify_user/del_mobile_token', 'Delete mobile token from user'],
      ['GET notify_user/screen', 'Get user screen notify'],
      ['POST notify_user/screen', 'Remove user screen notify'],
      ['GET notify_user/setting', 'Get user notify settings'],
      ['POST notify_user/setting', 'Set user notify settings'],
    ],
  },
  {
    area: 'billing', name: 'pay-settings', title: 'Pay setting',
    operations: [
      ['GET pay-setting', 'Get pay settings for profile (v3)'],
      ['POST pay-setting', 'Set pay settings for profile (v3)'],
      ['GET pay-setting/check-country', 'Check country after update user'],
    ],
  },
  {
    area: 'billing', name: 'pay-systems', title: 'Pay system',
    operations: [
      ['GET pay-system/list', 'Load available pay systems'],
      ['GET pay-system/payoneer/create', 'create pay-system challenge'],
      ['GET pay-system/t-bank/create'],
      ['GET pay-system/tonconnect/intent'],
      ['GET pay-system/tonconnect/status'],
      ['POST pay-system/tonconnect/submit'],
      ['GET pay-system/tron/intent'],
      ['GET pay-system/tron/status'],
      ['POST pay-system/tron/submit'],
      ['GET pay-system/unitpay/create', 'create pay-system item'],
      ['GET pay-system/walletconnect/intent'],
      ['GET pay-system/walletconnect/status'],
      ['POST pay-system/walletconnect/submit'],
    ],
  },
  {
    area: 'billing', name: 'payments', title: 'Payment',
    operations: [
      ['GET payment', 'get payment status'],
      ['POST payment', 'Create payment item'],
      ['GET payment/list', 'payment list'],
    ],
  },
  {
    area: 'billing', name: 'payouts', title: 'Payout',
    operations: [
      ['POST payout/create', 'Create payout'],
      ['GET payout/prepare', 'Get payout data for create'],
    ],
  },
  {
    area: 'tariffs', name: 'restream', title: 'PlanRestream',
    operations: [
      ['POST plan_restream/prolongation'],
    ],
  },
  {
    area: 'tariffs', name: 'storage', title: 'PlanStorage',
    operations: [
      ['DELETE plan_storage', 'Remove next tariff'],
      ['GET plan_storage', 'Get tariff for project'],
      ['POST plan_storage', 'Buy storage tariff'],
      ['GET plan_storage/check', 'Check storage tariff before buy'],
      ['GET plan_storage/get_discount', 'Get discount of storage'],
      ['GET plan_storage/list', 'Get info for storage tariff'],
      ['POST plan_storage/prolongation'],
    ],
  },
  {
    area: 'tariffs', name: 'transcoding', title: 'PlanTranscoding',
    operations: [
      ['DELETE plan_transcoding', 'Remove after tariff'],
      ['GET plan_transcoding', 'Get tariff for project'],
      ['POST plan_transcoding', 'Buy transcoder tariff'],
      ['GET plan_transcoding/check', 'Check transcoding tariff before buy'],
      ['GET plan_transcoding/get_discount', 'Get discount transcoding'],
      ['GET plan_transcoding/list', 'Get list of transcoding tariffs'],
      ['POST plan_transcoding/prolongation'],
    ],
  },
  {
    area: 'tariffs', name: 'webinar', title: 'PlanWebinar',
    operations: [
      ['DELETE plan_webinar'],
      ['GET plan_webinar'],
      ['POST plan_webinar'],
      ['GET plan_webinar/check'],
      ['GET plan_webinar/get_discount'],
      ['GET plan_webinar/list'],
      ['POST plan_webinar/prolongation'],
    ],
  },
  {
    area: 'channels', name: 'platforms', title: 'Platforms',
    operations: [
      ['GET platforms/account/channels'],
      ['POST platforms/account/remove'],
      ['GET platforms/accounts'],
      ['GET platforms/category', 'Get category from the platform'],
      ['GET platforms/connect', 'Get url for start oauth'],
      ['GET platforms/connect/vk-community'],
      ['GET platforms/list', 'Supported platforms'],
      ['POST platforms/logout'],
      ['GET platforms/vk-id/callback'],
      ['GET platforms/vk/callback-community'],
      ['GET platforms/{provider}/callback'],
    ],
  },
  {
    area: 'help', name: 'policies', title: 'PolicyPage',
    operations: [
      ['GET policy/get', 'Get policy page'],
      ['GET policy/structure'],
    ],
  },
  {
    area: 'broadcasts', name: 'live-status', title: 'Project',
    operations: [
      ['GET project/live-status', 'Get live status'],
    ],
  },
  {
    area: 'projects', name: 'projects', title: 'UserProject',
    operations: [
      ['GET project/me'],
    ],
  },
  {
    area: 'projects', name: 'members', title: 'UserProject',
    operations: [
      ['POST project/user/change_access', 'Change access user from project'],
      ['POST project/user/del', 'Remove user from project'],
      ['POST project/user/delete'],
      ['POST project/user/leave'],
    ],
  },
  {
    area: 'channels', name: 'access', title: 'ProjectChannel',
    operations: [
      ['POST channel/access/change', 'Change access'],
      ['POST channel/access/del', 'Remove access'],
      ['GET channel/access/list', 'Project channel list'],
      ['POST channel/access/transfer_owner', 'Transfer owner'],
    ],
  },
  {
    area: 'channels', name: 'invites', title: 'ProjectChannelInvite',
    operations: [
      ['POST channel_invite/accept_for_project', 'Accept invitation for channel'],
      ['POST channel_invite/accept_for_secret', 'Accept invitation using a secret link'],
      ['POST channel_invite/add_by_email', 'Add channel invite item by email'],
      ['POST channel_invite/add_by_id', 'Add channel invite item by id'],
      ['POST channel_invite/decline_for_project', 'Decline invitation for channel'],
      ['POST channel_invite/decline_for_secret', 'Decline invitation using a secret link'],
      ['POST channel_invite/del', 'Delete channel invite item'],
      ['GET channel_invite/get', 'Get channel invite item'],
      ['GET channel_invite/get_for_project', 'Get invitation for channel'],
      ['GET channel_invite/get_for_secret', 'Get invitation using a secret link'],
      ['GET channel_invite/list', 'List of invites for channel in project'],
    ],
  },
  {
    area: 'projects', name: 'history', title: 'ProjectHistory',
    operations: [
      ['GET project_history/list', 'Get project history of actions'],
    ],
  },
  {
    area: 'tariffs', name: 'promo', title: 'Promo',
    operations: [
      ['GET promo/apply', 'Apply code'],
      ['GET promo/check', 'Check code'],
    ],
  },
  {
    area: 'ingest', name: 'pull-servers', title: 'Pull servers',
    operations: [
      ['GET pull-servers/list', 'Get pull servers'],
    ],
  },
  {
    area: 'billing', name: 'referrals', title: 'Referrals',
    operations: [
      ['GET referrals/info', 'Total info'],
    ],
  },
  {
    area: 'ingest', name: 'rtmp-servers', title: 'RtmpServer',
    operations: [
      ['GET rtmp_server/base-list'],
      ['GET rtmp_server/graph', 'Graph of rtmp servers'],
      ['GET rtmp_server/list', 'List rtmp servers'],
      ['GET rtmp_server/list_locations_unauthorized', 'Locations list for unauthorized users'],
      ['GET rtmp_server/srt-latency'],
      ['GET rtmp_server/state', 'State of rtmp servers'],
      ['GET rtmp_server/up'],
    ],
  },
  {
    area: 'broadcasts', name: 'scheduler', title: 'Scheduler',
    operations: [
      ['DELETE scheduler'],
      ['GET scheduler'],
      ['POST scheduler'],
      ['PUT scheduler'],
      ['GET scheduler/get'],
      ['POST scheduler/stop'],
    ],
  },
  {
    area: 'account', name: 'socials', title: 'Socials',
    operations: [
      ['GET socials/list', 'Social list for user'],
    ],
  },
  {
    area: 'ingest', name: 'stream-keys', title: 'Stream key',
    operations: [
      ['GET stream-keys', 'Get stream credentials'],
      ['POST stream-keys/record', 'Update record'],
      ['POST stream-keys/rotate'],
      ['PUT stream-keys/wait'],
    ],
  },
  {
    area: 'ingest', name: 'pull-keys', title: 'Stream pull keys',
    operations: [
      ['DELETE stream-pull-keys', 'Delete key'],
      ['GET stream-pull-keys', 'List keys'],
      ['POST stream-pull-keys', 'Create key'],
      ['PUT stream-pull-keys', 'Update key'],
      ['GET stream-pull-keys/check', 'Check key'],
    ],
  },
  {
    area: 'billing', name: 'transactions', title: 'Transactions',
    operations: [
      ['GET transactions/list', 'Transaction list for frontend'],
    ],
  },
  {
    area: 'ingest', name: 'transcoders', title: 'Transcoders',
    operations: [
      ['POST transcoder/add', 'create'],
      ['POST transcoder/delete', 'delete'],
      ['GET transcoder/list', 'List'],
      ['POST transcoder/reset-delay'],
      ['POST transcoder/stop', 'stop'],
      ['POST transcoder/update', 'update'],
    ],
  },
  {
    area: 'media', name: 'videos', title: 'Video',
    operations: [
      ['GET video/create'],
      ['POST video/delete'],
      ['GET video/download'],
      ['GET video/get'],
      ['GET video/limits'],
      ['GET video/list'],
      ['GET video/progress-channel'],
      ['POST video/update'],
    ],
  },
  {
    area: 'webinars', name: 'rooms', title: 'Webinar',
    operations: [
      ['POST webinar/room/create'],
      ['POST webinar/room/delete'],
      ['POST webinar/room/join'],
      ['POST webinar/room/join-anonymous'],
      ['GET webinar/room/list'],
      ['GET webinar/room/pre-join'],
      ['GET webinar/room/sync'],
      ['POST webinar/room/sync'],
      ['POST webinar/room/update'],
    ],
  },
  {
    area: 'webinars', name: 'streams', title: 'Webinar',
    operations: [
      ['GET webinar/stream/last'],
      ['POST webinar/stream/pause'],
      ['POST webinar/stream/play'],
      ['GET webinar/stream/setting'],
      ['POST webinar/stream/setting'],
      ['POST webinar/stream/start'],
      ['POST webinar/stream/stop'],
    ],
  },
]
