// Generated from contract/areas/*/*.ts by scripts/house/registries.ts; do not edit.
import { apiTokens as accountApiTokens } from './areas/account/api-tokens.ts'
import { apps as accountApps } from './areas/account/apps.ts'
import { auth as accountAuth } from './areas/account/auth.ts'
import { profile as accountProfile, usersProfile as accountUsersProfile } from './areas/account/profile.ts'
import { security as accountSecurity } from './areas/account/security.ts'
import { sessions as accountSessions } from './areas/account/sessions.ts'
import { settings as accountSettings } from './areas/account/settings.ts'
import { socials as accountSocials } from './areas/account/socials.ts'
import { analytics as analyticsAnalytics } from './areas/analytics/analytics.ts'
import { methods as billingMethods } from './areas/billing/methods.ts'
import { moneyFlow as billingMoneyFlow } from './areas/billing/money-flow.ts'
import { papers as billingPapers } from './areas/billing/papers.ts'
import { paySettings as billingPaySettings } from './areas/billing/pay-settings.ts'
import { paySystems as billingPaySystems } from './areas/billing/pay-systems.ts'
import { payments as billingPayments } from './areas/billing/payments.ts'
import { payouts as billingPayouts } from './areas/billing/payouts.ts'
import { referrals as billingReferrals } from './areas/billing/referrals.ts'
import { renewals as billingRenewals } from './areas/billing/renewals.ts'
import { transactions as billingTransactions } from './areas/billing/transactions.ts'
import { transfers as billingTransfers } from './areas/billing/transfers.ts'
import { broadcasts as broadcastsBroadcasts } from './areas/broadcasts/broadcasts.ts'
import { browserIngest as broadcastsBrowserIngest } from './areas/broadcasts/browser-ingest.ts'
import { live as broadcastsLive } from './areas/broadcasts/live.ts'
import { liveStatus as broadcastsLiveStatus } from './areas/broadcasts/live-status.ts'
import { preview as broadcastsPreview } from './areas/broadcasts/preview.ts'
import { recordings as broadcastsRecordings } from './areas/broadcasts/recordings.ts'
import { scheduler as broadcastsScheduler } from './areas/broadcasts/scheduler.ts'
import { access as channelsAccess } from './areas/channels/access.ts'
import { addChannel as channelsAddChannel } from './areas/channels/add-channel.ts'
import { channels as channelsChannels } from './areas/channels/channels.ts'
import { invites as channelsInvites } from './areas/channels/invites.ts'
import { planned as channelsPlanned } from './areas/channels/planned.ts'
import { platforms as channelsPlatforms } from './areas/channels/platforms.ts'
import { settings as channelsSettings } from './areas/channels/settings.ts'
import { telegramChat as channelsTelegramChat } from './areas/channels/telegram-chat.ts'
import { chat as chatChat } from './areas/chat/chat.ts'
import { keys as chatKeys } from './areas/chat/keys.ts'
import { moderate as chatModerate } from './areas/chat/moderate.ts'
import { settings as chatSettings } from './areas/chat/settings.ts'
import { articles as helpArticles } from './areas/help/articles.ts'
import { blogPages as helpBlogPages } from './areas/help/blog-pages.ts'
import { blogTags as helpBlogTags } from './areas/help/blog-tags.ts'
import { policies as helpPolicies } from './areas/help/policies.ts'
import { releases as helpReleases } from './areas/help/releases.ts'
import { pullKeys as ingestPullKeys } from './areas/ingest/pull-keys.ts'
import { pullServers as ingestPullServers } from './areas/ingest/pull-servers.ts'
import { remoteSource as ingestRemoteSource } from './areas/ingest/remote-source.ts'
import { rtmpServers as ingestRtmpServers } from './areas/ingest/rtmp-servers.ts'
import { streamKeys as ingestStreamKeys } from './areas/ingest/stream-keys.ts'
import { transcoders as ingestTranscoders } from './areas/ingest/transcoders.ts'
import { mediaFiles } from './areas/media/files.ts'
import { videos as mediaVideos } from './areas/media/videos.ts'
import { appWebhooks as notificationsAppWebhooks } from './areas/notifications/app-webhooks.ts'
import { history as notificationsHistory } from './areas/notifications/history.ts'
import { settings as notificationsSettings } from './areas/notifications/settings.ts'
import { webhooks as notificationsWebhooks } from './areas/notifications/webhooks.ts'
import { customers as operatorCustomers } from './areas/operator/customers.ts'
import { health as operatorHealth } from './areas/operator/health.ts'
import { ledger as operatorLedger } from './areas/operator/ledger.ts'
import { overview as operatorOverview } from './areas/operator/overview.ts'
import { papers as operatorPapers } from './areas/operator/papers.ts'
import { payments as operatorPayments } from './areas/operator/payments.ts'
import { payouts as operatorPayouts } from './areas/operator/payouts.ts'
import { people as operatorPeople } from './areas/operator/people.ts'
import { plans as operatorPlans } from './areas/operator/plans.ts'
import { promos as operatorPromos } from './areas/operator/promos.ts'
import { servers as operatorServers } from './areas/operator/servers.ts'
import { settings as operatorSettings } from './areas/operator/settings.ts'
import { subscriptions as operatorSubscriptions } from './areas/operator/subscriptions.ts'
import { connectedApps as projectsConnectedApps } from './areas/projects/connected-apps.ts'
import { history as projectsHistory } from './areas/projects/history.ts'
import { invites as projectsInvites } from './areas/projects/invites.ts'
import { members as projectsMembers } from './areas/projects/members.ts'
import { projects as projectsProjects } from './areas/projects/projects.ts'
import { security as projectsSecurity } from './areas/projects/security.ts'
import { tokens as realtimeTokens } from './areas/realtime/tokens.ts'
import { widgets as realtimeWidgets } from './areas/realtime/widgets.ts'
import { promo as tariffsPromo } from './areas/tariffs/promo.ts'
import { restream as tariffsRestream } from './areas/tariffs/restream.ts'
import { storage as tariffsStorage } from './areas/tariffs/storage.ts'
import { transcoding as tariffsTranscoding } from './areas/tariffs/transcoding.ts'

/** Groups of the API by id. */
export const groups = {
  'account.api-tokens': accountApiTokens,
  'account.apps': accountApps,
  'account.auth': accountAuth,
  'account.profile': accountProfile,
  'account.security': accountSecurity,
  'account.sessions': accountSessions,
  'account.settings': accountSettings,
  'account.socials': accountSocials,
  'account.usersProfile': accountUsersProfile,
  'analytics.analytics': analyticsAnalytics,
  'billing.methods': billingMethods,
  'billing.money-flow': billingMoneyFlow,
  'billing.papers': billingPapers,
  'billing.pay-settings': billingPaySettings,
  'billing.pay-systems': billingPaySystems,
  'billing.payments': billingPayments,
  'billing.payouts': billingPayouts,
  'billing.referrals': billingReferrals,
  'billing.renewals': billingRenewals,
  'billing.transactions': billingTransactions,
  'billing.transfers': billingTransfers,
  'broadcasts.broadcasts': broadcastsBroadcasts,
  'broadcasts.browser-ingest': broadcastsBrowserIngest,
  'broadcasts.live': broadcastsLive,
  'broadcasts.live-status': broadcastsLiveStatus,
  'broadcasts.preview': broadcastsPreview,
  'broadcasts.recordings': broadcastsRecordings,
  'broadcasts.scheduler': broadcastsScheduler,
  'channels.access': channelsAccess,
  'channels.add-channel': channelsAddChannel,
  'channels.channels': channelsChannels,
  'channels.invites': channelsInvites,
  'channels.planned': channelsPlanned,
  'channels.platforms': channelsPlatforms,
  'channels.settings': channelsSettings,
  'channels.telegram-chat': channelsTelegramChat,
  'chat.chat': chatChat,
  'chat.keys': chatKeys,
  'chat.moderate': chatModerate,
  'chat.settings': chatSettings,
  'help.articles': helpArticles,
  'help.blog-pages': helpBlogPages,
  'help.blog-tags': helpBlogTags,
  'help.policies': helpPolicies,
  'help.releases': helpReleases,
  'ingest.pull-keys': ingestPullKeys,
  'ingest.pull-servers': ingestPullServers,
  'ingest.remote-source': ingestRemoteSource,
  'ingest.rtmp-servers': ingestRtmpServers,
  'ingest.stream-keys': ingestStreamKeys,
  'ingest.transcoders': ingestTranscoders,
  'media.files': mediaFiles,
  'media.videos': mediaVideos,
  'notifications.app-webhooks': notificationsAppWebhooks,
  'notifications.history': notificationsHistory,
  'notifications.settings': notificationsSettings,
  'notifications.webhooks': notificationsWebhooks,
  'operator.customers': operatorCustomers,
  'operator.health': operatorHealth,
  'operator.ledger': operatorLedger,
  'operator.overview': operatorOverview,
  'operator.papers': operatorPapers,
  'operator.payments': operatorPayments,
  'operator.payouts': operatorPayouts,
  'operator.people': operatorPeople,
  'operator.plans': operatorPlans,
  'operator.promos': operatorPromos,
  'operator.servers': operatorServers,
  'operator.settings': operatorSettings,
  'operator.subscriptions': operatorSubscriptions,
  'projects.connected-apps': projectsConnectedApps,
  'projects.history': projectsHistory,
  'projects.invites': projectsInvites,
  'projects.members': projectsMembers,
  'projects.projects': projectsProjects,
  'projects.security': projectsSecurity,
  'realtime.tokens': realtimeTokens,
  'realtime.widgets': realtimeWidgets,
  'tariffs.promo': tariffsPromo,
  'tariffs.restream': tariffsRestream,
  'tariffs.storage': tariffsStorage,
  'tariffs.transcoding': tariffsTranscoding,
} as const
