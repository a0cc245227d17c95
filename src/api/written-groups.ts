// Groups with writes, by id. Types only: the table of after-write.ts adds none of them to the bundle.
import type { auth } from '#contract/areas/account/auth.ts'
import type { profile, usersProfile } from '#contract/areas/account/profile.ts'
import type { renewals } from '#contract/areas/billing/renewals.ts'
import type { methods } from '#contract/areas/billing/methods.ts'
import type { payments } from '#contract/areas/billing/payments.ts'
import type { paySystems } from '#contract/areas/billing/pay-systems.ts'
import type { paySettings } from '#contract/areas/billing/pay-settings.ts'
import type { moneyFlow } from '#contract/areas/billing/money-flow.ts'
import type { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { chat } from '#contract/areas/chat/chat.ts'
import type { keys as chatKeys } from '#contract/areas/chat/keys.ts'
import type { moderate } from '#contract/areas/chat/moderate.ts'
import type { settings as chatSettings } from '#contract/areas/chat/settings.ts'
import type { recordings } from '#contract/areas/broadcasts/recordings.ts'
import type { pullKeys } from '#contract/areas/ingest/pull-keys.ts'
import type { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import type { transcoders } from '#contract/areas/ingest/transcoders.ts'
import type { access } from '#contract/areas/channels/access.ts'
import type { addChannel } from '#contract/areas/channels/add-channel.ts'
import type { channels } from '#contract/areas/channels/channels.ts'
import type { invites as channelInvites } from '#contract/areas/channels/invites.ts'
import type { planned } from '#contract/areas/channels/planned.ts'
import type { platforms } from '#contract/areas/channels/platforms.ts'
import type { settings } from '#contract/areas/channels/settings.ts'
import type { telegramChat } from '#contract/areas/channels/telegram-chat.ts'
import type { history as notifyHistory } from '#contract/areas/notifications/history.ts'
import type { settings as notifySettings } from '#contract/areas/notifications/settings.ts'
import type { webhooks } from '#contract/areas/notifications/webhooks.ts'
import type { history } from '#contract/areas/projects/history.ts'
import type { invites } from '#contract/areas/projects/invites.ts'
import type { members } from '#contract/areas/projects/members.ts'
import type { sessions } from '#contract/areas/account/sessions.ts'
import type { settings as accountSettings } from '#contract/areas/account/settings.ts'
import type { socials } from '#contract/areas/account/socials.ts'
import type { projects } from '#contract/areas/projects/projects.ts'
import type { customers } from '#contract/areas/operator/customers.ts'
import type { plans as operatorPlans } from '#contract/areas/operator/plans.ts'
import type { health as operatorHealth } from '#contract/areas/operator/health.ts'
import type { settings as operatorSettings } from '#contract/areas/operator/settings.ts'
import type { payments as operatorPayments } from '#contract/areas/operator/payments.ts'
import type { papers as operatorPapers } from '#contract/areas/operator/papers.ts'
import type { payouts as operatorPayouts } from '#contract/areas/operator/payouts.ts'
import type { promos as operatorPromos } from '#contract/areas/operator/promos.ts'
import type { payouts } from '#contract/areas/billing/payouts.ts'
import type { promo } from '#contract/areas/tariffs/promo.ts'
import type { referrals } from '#contract/areas/billing/referrals.ts'
import type { transfers } from '#contract/areas/billing/transfers.ts'
import type { restream } from '#contract/areas/tariffs/restream.ts'
import type { storage } from '#contract/areas/tariffs/storage.ts'
import type { transcoding as transcodingPlan } from '#contract/areas/tariffs/transcoding.ts'

/** Type of each group by its id. */
export interface Groups {
  'operator.settings': typeof operatorSettings
  'operator.promos': typeof operatorPromos
  'operator.payouts': typeof operatorPayouts
  'operator.health': typeof operatorHealth
  'operator.papers': typeof operatorPapers
  'operator.payments': typeof operatorPayments
  'operator.plans': typeof operatorPlans
  'operator.customers': typeof customers
  'account.auth': typeof auth
  'account.profile': typeof profile
  'account.usersProfile': typeof usersProfile
  'billing.pay-settings': typeof paySettings
  'billing.money-flow': typeof moneyFlow
  'billing.payments': typeof payments
  'billing.pay-systems': typeof paySystems
  'billing.methods': typeof methods
  'billing.renewals': typeof renewals
  'broadcasts.broadcasts': typeof broadcasts
  'broadcasts.recordings': typeof recordings
  'chat.chat': typeof chat
  'chat.keys': typeof chatKeys
  'chat.moderate': typeof moderate
  'chat.settings': typeof chatSettings
  'ingest.pull-keys': typeof pullKeys
  'ingest.stream-keys': typeof streamKeys
  'ingest.transcoders': typeof transcoders
  'channels.channels': typeof channels
  'channels.access': typeof access
  'channels.invites': typeof channelInvites
  'channels.add-channel': typeof addChannel
  'channels.planned': typeof planned
  'channels.platforms': typeof platforms
  'channels.telegram-chat': typeof telegramChat
  'channels.settings': typeof settings
  'account.sessions': typeof sessions
  'account.settings': typeof accountSettings
  'account.socials': typeof socials
  'projects.projects': typeof projects
  'projects.members': typeof members
  'notifications.history': typeof notifyHistory
  'notifications.settings': typeof notifySettings
  'notifications.webhooks': typeof webhooks
  'projects.invites': typeof invites
  'projects.history': typeof history
  'tariffs.restream': typeof restream
  'tariffs.storage': typeof storage
  'tariffs.transcoding': typeof transcodingPlan
  'tariffs.promo': typeof promo
  'billing.payouts': typeof payouts
  'billing.referrals': typeof referrals
  'billing.transfers': typeof transfers
}
