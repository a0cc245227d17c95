// Registry of all groups of the API. The service and tests import it; the dashboard imports single groups, so that a page
// loads only the operations that it calls (the reference pages load this file on demand).
import { auth } from '#contract/areas/account/auth.ts'
import { profile, usersProfile } from '#contract/areas/account/profile.ts'
import { analytics } from '#contract/areas/analytics/analytics.ts'
import { renewals } from '#contract/areas/billing/renewals.ts'
import { papers } from '#contract/areas/billing/papers.ts'
import { methods } from '#contract/areas/billing/methods.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { paySettings } from '#contract/areas/billing/pay-settings.ts'
import { moneyFlow } from '#contract/areas/billing/money-flow.ts'
import { payouts } from '#contract/areas/billing/payouts.ts'
import { referrals } from '#contract/areas/billing/referrals.ts'
import { transactions } from '#contract/areas/billing/transactions.ts'
import { transfers } from '#contract/areas/billing/transfers.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { preview } from '#contract/areas/broadcasts/preview.ts'
import { live } from '#contract/areas/broadcasts/live.ts'
import { liveStatus } from '#contract/areas/broadcasts/live-status.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { keys as chatKeys } from '#contract/areas/chat/keys.ts'
import { moderate } from '#contract/areas/chat/moderate.ts'
import { settings as chatSettings } from '#contract/areas/chat/settings.ts'
import { sessions } from '#contract/areas/account/sessions.ts'
import { settings as accountSettings } from '#contract/areas/account/settings.ts'
import { socials } from '#contract/areas/account/socials.ts'
import { access } from '#contract/areas/channels/access.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { invites as channelInvites } from '#contract/areas/channels/invites.ts'
import { planned } from '#contract/areas/channels/planned.ts'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { telegramChat } from '#contract/areas/channels/telegram-chat.ts'
import { articles } from '#contract/areas/help/articles.ts'
import { blogPages } from '#contract/areas/help/blog-pages.ts'
import { blogTags } from '#contract/areas/help/blog-tags.ts'
import { policies } from '#contract/areas/help/policies.ts'
import { releases } from '#contract/areas/help/releases.ts'
import { pullKeys } from '#contract/areas/ingest/pull-keys.ts'
import { pullServers } from '#contract/areas/ingest/pull-servers.ts'
import { rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { transcoders } from '#contract/areas/ingest/transcoders.ts'
import { history as notifyHistory } from '#contract/areas/notifications/history.ts'
import { webhooks } from '#contract/areas/notifications/webhooks.ts'
import { settings as notifySettings } from '#contract/areas/notifications/settings.ts'
import { history } from '#contract/areas/projects/history.ts'
import { invites } from '#contract/areas/projects/invites.ts'
import { members } from '#contract/areas/projects/members.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { tokens } from '#contract/areas/realtime/tokens.ts'
import { customers } from '#contract/areas/operator/customers.ts'
import { health } from '#contract/areas/operator/health.ts'
import { plans } from '#contract/areas/operator/plans.ts'
import { settings as operatorSettings } from '#contract/areas/operator/settings.ts'
import { payments as operatorPayments } from '#contract/areas/operator/payments.ts'
import { papers as operatorPapers } from '#contract/areas/operator/papers.ts'
import { payouts as operatorPayouts } from '#contract/areas/operator/payouts.ts'
import { promos as operatorPromos } from '#contract/areas/operator/promos.ts'
import { promo } from '#contract/areas/tariffs/promo.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { transcoding } from '#contract/areas/tariffs/transcoding.ts'
import { type AnyGroup, operationsOf } from '#contract/core/group.ts'
import type { Operation } from '#contract/core/operation.ts'

/** Groups with declared operations. */
export const groups: readonly AnyGroup[] = [
  auth,
  profile,
  usersProfile,
  sessions,
  accountSettings,
  socials,
  addChannel,
  channels,
  access,
  channelInvites,
  settings,
  planned,
  telegramChat,
  platforms,
  projects,
  streamKeys,
  rtmpServers,
  pullKeys,
  pullServers,
  transcoders,
  members,
  invites,
  history,
  broadcasts,
  preview,
  recordings,
  live,
  liveStatus,
  analytics,
  chat,
  chatKeys,
  moderate,
  chatSettings,
  restream,
  transcoding,
  storage,
  paySettings,
  papers,
  renewals,
  moneyFlow,
  transactions,
  payments,
  paySystems,
  methods,
  promo,
  payouts,
  referrals,
  transfers,
  operatorPromos,
  operatorPayouts,
  operatorPapers,
  operatorPayments,
  notifyHistory,
  notifySettings,
  webhooks,
  tokens,
  operatorSettings,
  plans,
  customers,
  health,
  articles,
  blogPages,
  blogTags,
  policies,
  releases,
]

/** Every declared operation. */
export const operations: readonly Operation[] = groups.flatMap(operationsOf)
