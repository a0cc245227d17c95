// Generated from contract/areas/*/*.ts by scripts/house/registries.ts; do not edit.
import { auth as accountAuth } from '#contract/areas/account/auth.ts'
import { profile as accountProfile, usersProfile as accountUsersProfile } from '#contract/areas/account/profile.ts'
import { sessions as accountSessions } from '#contract/areas/account/sessions.ts'
import { settings as accountSettings } from '#contract/areas/account/settings.ts'
import { socials as accountSocials } from '#contract/areas/account/socials.ts'
import { analytics as analyticsAnalytics } from '#contract/areas/analytics/analytics.ts'
import { methods as billingMethods } from '#contract/areas/billing/methods.ts'
import { moneyFlow as billingMoneyFlow } from '#contract/areas/billing/money-flow.ts'
import { papers as billingPapers } from '#contract/areas/billing/papers.ts'
import { paySettings as billingPaySettings } from '#contract/areas/billing/pay-settings.ts'
import { paySystems as billingPaySystems } from '#contract/areas/billing/pay-systems.ts'
import { payments as billingPayments } from '#contract/areas/billing/payments.ts'
import { payouts as billingPayouts } from '#contract/areas/billing/payouts.ts'
import { referrals as billingReferrals } from '#contract/areas/billing/referrals.ts'
import { renewals as billingRenewals } from '#contract/areas/billing/renewals.ts'
import { transactions as billingTransactions } from '#contract/areas/billing/transactions.ts'
import { transfers as billingTransfers } from '#contract/areas/billing/transfers.ts'
import { broadcasts as broadcastsBroadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { live as broadcastsLive } from '#contract/areas/broadcasts/live.ts'
import { liveStatus as broadcastsLiveStatus } from '#contract/areas/broadcasts/live-status.ts'
import { preview as broadcastsPreview } from '#contract/areas/broadcasts/preview.ts'
import { recordings as broadcastsRecordings } from '#contract/areas/broadcasts/recordings.ts'
import { access as channelsAccess } from '#contract/areas/channels/access.ts'
import { addChannel as channelsAddChannel } from '#contract/areas/channels/add-channel.ts'
import { channels as channelsChannels } from '#contract/areas/channels/channels.ts'
import { invites as channelsInvites } from '#contract/areas/channels/invites.ts'
import { planned as channelsPlanned } from '#contract/areas/channels/planned.ts'
import { platforms as channelsPlatforms } from '#contract/areas/channels/platforms.ts'
import { settings as channelsSettings } from '#contract/areas/channels/settings.ts'
import { telegramChat as channelsTelegramChat } from '#contract/areas/channels/telegram-chat.ts'
import { chat as chatChat } from '#contract/areas/chat/chat.ts'
import { keys as chatKeys } from '#contract/areas/chat/keys.ts'
import { moderate as chatModerate } from '#contract/areas/chat/moderate.ts'
import { settings as chatSettings } from '#contract/areas/chat/settings.ts'
import { articles as helpArticles } from '#contract/areas/help/articles.ts'
import { blogPages as helpBlogPages } from '#contract/areas/help/blog-pages.ts'
import { blogTags as helpBlogTags } from '#contract/areas/help/blog-tags.ts'
import { policies as helpPolicies } from '#contract/areas/help/policies.ts'
import { releases as helpReleases } from '#contract/areas/help/releases.ts'
import { pullKeys as ingestPullKeys } from '#contract/areas/ingest/pull-keys.ts'
import { pullServers as ingestPullServers } from '#contract/areas/ingest/pull-servers.ts'
import { rtmpServers as ingestRtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { streamKeys as ingestStreamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { transcoders as ingestTranscoders } from '#contract/areas/ingest/transcoders.ts'
import { history as notificationsHistory } from '#contract/areas/notifications/history.ts'
import { settings as notificationsSettings } from '#contract/areas/notifications/settings.ts'
import { webhooks as notificationsWebhooks } from '#contract/areas/notifications/webhooks.ts'
import { customers as operatorCustomers } from '#contract/areas/operator/customers.ts'
import { health as operatorHealth } from '#contract/areas/operator/health.ts'
import { papers as operatorPapers } from '#contract/areas/operator/papers.ts'
import { payments as operatorPayments } from '#contract/areas/operator/payments.ts'
import { payouts as operatorPayouts } from '#contract/areas/operator/payouts.ts'
import { plans as operatorPlans } from '#contract/areas/operator/plans.ts'
import { promos as operatorPromos } from '#contract/areas/operator/promos.ts'
import { settings as operatorSettings } from '#contract/areas/operator/settings.ts'
import { history as projectsHistory } from '#contract/areas/projects/history.ts'
import { invites as projectsInvites } from '#contract/areas/projects/invites.ts'
import { members as projectsMembers } from '#contract/areas/projects/members.ts'
import { projects as projectsProjects } from '#contract/areas/projects/projects.ts'
import { tokens as realtimeTokens } from '#contract/areas/realtime/tokens.ts'
import { promo as tariffsPromo } from '#contract/areas/tariffs/promo.ts'
import { restream as tariffsRestream } from '#contract/areas/tariffs/restream.ts'
import { storage as tariffsStorage } from '#contract/areas/tariffs/storage.ts'
import { transcoding as tariffsTranscoding } from '#contract/areas/tariffs/transcoding.ts'

/** Groups of the API by id. */
export const groups = {
  'account.auth': accountAuth,
  'account.profile': accountProfile,
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
  'broadcasts.live': broadcastsLive,
  'broadcasts.live-status': broadcastsLiveStatus,
  'broadcasts.preview': broadcastsPreview,
  'broadcasts.recordings': broadcastsRecordings,
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
  'ingest.rtmp-servers': ingestRtmpServers,
  'ingest.stream-keys': ingestStreamKeys,
  'ingest.transcoders': ingestTranscoders,
  'notifications.history': notificationsHistory,
  'notifications.settings': notificationsSettings,
  'notifications.webhooks': notificationsWebhooks,
  'operator.customers': operatorCustomers,
  'operator.health': operatorHealth,
  'operator.papers': operatorPapers,
  'operator.payments': operatorPayments,
  'operator.payouts': operatorPayouts,
  'operator.plans': operatorPlans,
  'operator.promos': operatorPromos,
  'operator.settings': operatorSettings,
  'projects.history': projectsHistory,
  'projects.invites': projectsInvites,
  'projects.members': projectsMembers,
  'projects.projects': projectsProjects,
  'realtime.tokens': realtimeTokens,
  'tariffs.promo': tariffsPromo,
  'tariffs.restream': tariffsRestream,
  'tariffs.storage': tariffsStorage,
  'tariffs.transcoding': tariffsTranscoding,
} as const
