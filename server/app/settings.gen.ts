// Generated from server/**/*.ts by scripts/house/registries.ts; do not edit.
import { appSettings as appConfig } from './config.ts'
import { dashboardSettings as appHttpDashboard } from './http/dashboard.ts'
import { relaySettings as appNodesRelayChild } from './nodes/relay-child.ts'
import { replicaSettings as appNodesRelayGate } from './nodes/relay-gate.ts'
import { upgradeSettings as appOpsUpgradeSettings } from './ops/upgrade/settings.ts'
import { tlsSettings as appStartListen } from './start/listen.ts'
import { apiTokenSettings as coreHttp } from '#server/core/http.ts'
import { s3Settings as coreObjectStore } from '#server/core/object-store.ts'
import { providerSettings as coreProviderHttp } from '#server/core/provider-http.ts'
import { telegramSettings as coreTelegramBot } from '#server/core/telegram-bot.ts'
import { accessSettings as domainAccountAccessTokens } from '#server/domain/account/access-tokens.ts'
import { signUpSettings as domainAccountAccounts } from '#server/domain/account/accounts.ts'
import { providerRegistrations as domainAccountOauthTable } from '#server/domain/account/oauth-table.ts'
import { returnSettings as domainAccountReturnTo } from '#server/domain/account/return-to.ts'
import { refreshSettings as domainAccountTokens } from '#server/domain/account/tokens.ts'
import { invoiceSettings as domainBillingProvidersInvoiceSettings } from '#server/domain/billing/providers/invoice/settings.ts'
import { paypalSettings as domainBillingProvidersPaypalSettings } from '#server/domain/billing/providers/paypal/settings.ts'
import { stripeSettings as domainBillingProvidersStripeSettings } from '#server/domain/billing/providers/stripe/settings.ts'
import { yookassaSettings as domainBillingProvidersYookassaSettings } from '#server/domain/billing/providers/yookassa/settings.ts'
import { storageSettings as domainBroadcastsStorageRemoval } from '#server/domain/broadcasts/storage-removal.ts'
import { destinationSettings as domainChannelsDestinations } from '#server/domain/channels/destinations.ts'
import { retentionSettings as domainChatRetention } from '#server/domain/chat/retention.ts'
import { transcoderSettings as domainIngestCapacity } from '#server/domain/ingest/capacity.ts'
import { youtubeSettings as domainPlatformsQuota } from '#server/domain/platforms/quota.ts'
import { centrifugoSettings as domainRealtimeTokens } from '#server/domain/realtime/tokens.ts'
import { kickSettings as platformsKickWebhook } from '#server/platforms/kick/webhook.ts'
import { mediaSettings as storageLocal } from '#server/storage/local.ts'

/** Tables of settings by file. */
export const settingTables = {
  'app.config': appConfig,
  'app.http.dashboard': appHttpDashboard,
  'app.nodes.relay-child': appNodesRelayChild,
  'app.nodes.relay-gate': appNodesRelayGate,
  'app.ops.upgrade.settings': appOpsUpgradeSettings,
  'app.start.listen': appStartListen,
  'core.http': coreHttp,
  'core.object-store': coreObjectStore,
  'core.provider-http': coreProviderHttp,
  'core.telegram-bot': coreTelegramBot,
  'domain.account.access-tokens': domainAccountAccessTokens,
  'domain.account.accounts': domainAccountAccounts,
  'domain.account.oauth-table': domainAccountOauthTable,
  'domain.account.return-to': domainAccountReturnTo,
  'domain.account.tokens': domainAccountTokens,
  'domain.billing.providers.invoice.settings': domainBillingProvidersInvoiceSettings,
  'domain.billing.providers.paypal.settings': domainBillingProvidersPaypalSettings,
  'domain.billing.providers.stripe.settings': domainBillingProvidersStripeSettings,
  'domain.billing.providers.yookassa.settings': domainBillingProvidersYookassaSettings,
  'domain.broadcasts.storage-removal': domainBroadcastsStorageRemoval,
  'domain.channels.destinations': domainChannelsDestinations,
  'domain.chat.retention': domainChatRetention,
  'domain.ingest.capacity': domainIngestCapacity,
  'domain.platforms.quota': domainPlatformsQuota,
  'domain.realtime.tokens': domainRealtimeTokens,
  'platforms.kick.webhook': platformsKickWebhook,
  'storage.local': storageLocal,
} as const
