// Generated from server/areas/*/*.ts by scripts/house/registries.ts; do not edit.
import { apiTokenRoutes as accountApiTokens } from '#server/areas/account/api-tokens.ts'
import { appRoutes as accountApps } from '#server/areas/account/apps.ts'
import { authRoutes as accountAuth } from '#server/areas/account/auth.ts'
import { profileRoutes as accountProfile } from '#server/areas/account/profile.ts'
import { securityRoutes as accountSecurity } from '#server/areas/account/security.ts'
import { sessionRoutes as accountSessions } from '#server/areas/account/sessions.ts'
import { accountSettingRoutes as accountSettings } from '#server/areas/account/settings.ts'
import { socialRoutes as accountSocials } from '#server/areas/account/socials.ts'
import { analyticsRoutes as analyticsAnalytics } from '#server/areas/analytics/analytics.ts'
import { methodRoutes as billingMethods } from '#server/areas/billing/methods.ts'
import { moneyFlowRoutes as billingMoneyFlow } from '#server/areas/billing/money-flow.ts'
import { paperRoutes as billingPapers } from '#server/areas/billing/papers.ts'
import { paySettingRoutes as billingPaySettings } from '#server/areas/billing/pay-settings.ts'
import { paySystemRoutes as billingPaySystems } from '#server/areas/billing/pay-systems.ts'
import { paymentRoutes as billingPayments } from '#server/areas/billing/payments.ts'
import { payoutRoutes as billingPayouts } from '#server/areas/billing/payouts.ts'
import { referralRoutes as billingReferrals } from '#server/areas/billing/referrals.ts'
import { renewalRoutes as billingRenewals } from '#server/areas/billing/renewals.ts'
import { transactionRoutes as billingTransactions } from '#server/areas/billing/transactions.ts'
import { transferRoutes as billingTransfers } from '#server/areas/billing/transfers.ts'
import { broadcastRoutes as broadcastsBroadcasts } from '#server/areas/broadcasts/broadcasts.ts'
import { browserIngestRoutes as broadcastsBrowserIngest } from '#server/areas/broadcasts/browser-ingest.ts'
import { liveRoutes as broadcastsLive } from '#server/areas/broadcasts/live.ts'
import { liveStatusRoutes as broadcastsLiveStatus } from '#server/areas/broadcasts/live-status.ts'
import { previewRoutes as broadcastsPreview } from '#server/areas/broadcasts/preview.ts'
import { recordingRoutes as broadcastsRecordings } from '#server/areas/broadcasts/recordings.ts'
import { schedulerRoutes as broadcastsScheduler } from '#server/areas/broadcasts/scheduler.ts'
import { accessRoutes as channelsAccess } from '#server/areas/channels/access.ts'
import { addChannelRoutes as channelsAddChannel } from '#server/areas/channels/add-channel.ts'
import { channelRoutes as channelsChannels } from '#server/areas/channels/channels.ts'
import { channelInviteRoutes as channelsInvites } from '#server/areas/channels/invites.ts'
import { plannedRoutes as channelsPlanned } from '#server/areas/channels/planned.ts'
import { platformRoutes as channelsPlatforms } from '#server/areas/channels/platforms.ts'
import { settingRoutes as channelsSettings } from '#server/areas/channels/settings.ts'
import { telegramChatRoutes as channelsTelegramChat } from '#server/areas/channels/telegram-chat.ts'
import { chatRoutes as chatChat } from '#server/areas/chat/chat.ts'
import { keyRoutes as chatKeys } from '#server/areas/chat/keys.ts'
import { moderateRoutes as chatModerate } from '#server/areas/chat/moderate.ts'
import { settingsRoutes as chatSettings } from '#server/areas/chat/settings.ts'
import { articleRoutes as helpArticles } from '#server/areas/help/articles.ts'
import { blogPageRoutes as helpBlogPages } from '#server/areas/help/blog-pages.ts'
import { blogTagRoutes as helpBlogTags } from '#server/areas/help/blog-tags.ts'
import { policyRoutes as helpPolicies } from '#server/areas/help/policies.ts'
import { releaseRoutes as helpReleases } from '#server/areas/help/releases.ts'
import { pullKeyRoutes as ingestPullKeys } from '#server/areas/ingest/pull-keys.ts'
import { pullServerRoutes as ingestPullServers } from '#server/areas/ingest/pull-servers.ts'
import { remoteSourceRoutes as ingestRemoteSource } from '#server/areas/ingest/remote-source.ts'
import { rtmpServerRoutes as ingestRtmpServers } from '#server/areas/ingest/rtmp-servers.ts'
import { streamKeyRoutes as ingestStreamKeys } from '#server/areas/ingest/stream-keys.ts'
import { transcoderRoutes as ingestTranscoders } from '#server/areas/ingest/transcoders.ts'
import { mediaFileRoutes as mediaFiles } from '#server/areas/media/files.ts'
import { videoRoutes as mediaVideos } from '#server/areas/media/videos.ts'
import { appWebhookRoutes as notificationsAppWebhooks } from '#server/areas/notifications/app-webhooks.ts'
import { notifyHistoryRoutes as notificationsHistory } from '#server/areas/notifications/history.ts'
import { notifySettingRoutes as notificationsSettings } from '#server/areas/notifications/settings.ts'
import { webhookRoutes as notificationsWebhooks } from '#server/areas/notifications/webhooks.ts'
import { customerRoutes as operatorCustomers } from '#server/areas/operator/customers.ts'
import { healthRoutes as operatorHealth } from '#server/areas/operator/health.ts'
import { operatorLedgerRoutes as operatorLedger } from '#server/areas/operator/ledger.ts'
import { overviewRoutes as operatorOverview } from '#server/areas/operator/overview.ts'
import { operatorPaperRoutes as operatorPapers } from '#server/areas/operator/papers.ts'
import { operatorPaymentRoutes as operatorPayments } from '#server/areas/operator/payments.ts'
import { operatorPayoutRoutes as operatorPayouts } from '#server/areas/operator/payouts.ts'
import { peopleRoutes as operatorPeople } from '#server/areas/operator/people.ts'
import { planRoutes as operatorPlans } from '#server/areas/operator/plans.ts'
import { operatorPromoRoutes as operatorPromos } from '#server/areas/operator/promos.ts'
import { serversRoutes as operatorServers } from '#server/areas/operator/servers.ts'
import { settingRoutes as operatorSettings } from '#server/areas/operator/settings.ts'
import { subscriptionRoutes as operatorSubscriptions } from '#server/areas/operator/subscriptions.ts'
import { connectedAppRoutes as projectsConnectedApps } from '#server/areas/projects/connected-apps.ts'
import { historyRoutes as projectsHistory } from '#server/areas/projects/history.ts'
import { inviteRoutes as projectsInvites } from '#server/areas/projects/invites.ts'
import { memberRoutes as projectsMembers } from '#server/areas/projects/members.ts'
import { projectRoutes as projectsProjects } from '#server/areas/projects/projects.ts'
import { projectSecurityRoutes as projectsSecurity } from '#server/areas/projects/security.ts'
import { tokenRoutes as realtimeTokens } from '#server/areas/realtime/tokens.ts'
import { widgetRoutes as realtimeWidgets } from '#server/areas/realtime/widgets.ts'
import { promoRoutes as tariffsPromo } from '#server/areas/tariffs/promo.ts'
import { restreamRoutes as tariffsRestream } from '#server/areas/tariffs/restream.ts'
import { storageRoutes as tariffsStorage } from '#server/areas/tariffs/storage.ts'
import { transcodingRoutes as tariffsTranscoding } from '#server/areas/tariffs/transcoding.ts'

/** Operations with their handlers, by area and file. */
export const routes = {
  'account.api-tokens': accountApiTokens,
  'account.apps': accountApps,
  'account.auth': accountAuth,
  'account.profile': accountProfile,
  'account.security': accountSecurity,
  'account.sessions': accountSessions,
  'account.settings': accountSettings,
  'account.socials': accountSocials,
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
