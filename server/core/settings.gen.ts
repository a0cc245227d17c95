// Generated from server/**/*.ts by scripts/house/registries.ts; do not edit.

/** Types of the tables of settings by file. */
export interface SettingTables {
  'app.config': typeof import('#server/app/config.ts').appSettings
  'app.http.dashboard': typeof import('#server/app/http/dashboard.ts').dashboardSettings
  'app.nodes.relay-child': typeof import('#server/app/nodes/relay-child.ts').relaySettings
  'app.nodes.relay-gate': typeof import('#server/app/nodes/relay-gate.ts').replicaSettings
  'app.ops.upgrade.settings': typeof import('#server/app/ops/upgrade/settings.ts').upgradeSettings
  'app.start.listen': typeof import('#server/app/start/listen.ts').tlsSettings
  'core.http': typeof import('./http.ts').apiTokenSettings
  'core.object-store': typeof import('./object-store.ts').s3Settings
  'core.provider-http': typeof import('./provider-http.ts').providerSettings
  'core.telegram-bot': typeof import('./telegram-bot.ts').telegramSettings
  'domain.account.access-tokens': typeof import('#server/domain/account/access-tokens.ts').accessSettings
  'domain.account.accounts': typeof import('#server/domain/account/accounts.ts').signUpSettings
  'domain.account.oauth-table': typeof import('#server/domain/account/oauth-table.ts').providerRegistrations
  'domain.account.return-to': typeof import('#server/domain/account/return-to.ts').returnSettings
  'domain.account.tokens': typeof import('#server/domain/account/tokens.ts').refreshSettings
  'domain.billing.providers.invoice.settings': typeof import('#server/domain/billing/providers/invoice/settings.ts').invoiceSettings
  'domain.billing.providers.paypal.settings': typeof import('#server/domain/billing/providers/paypal/settings.ts').paypalSettings
  'domain.billing.providers.stripe.settings': typeof import('#server/domain/billing/providers/stripe/settings.ts').stripeSettings
  'domain.billing.providers.yookassa.settings': typeof import('#server/domain/billing/providers/yookassa/settings.ts').yookassaSettings
  'domain.broadcasts.storage-removal': typeof import('#server/domain/broadcasts/storage-removal.ts').storageSettings
  'domain.channels.destinations': typeof import('#server/domain/channels/destinations.ts').destinationSettings
  'domain.chat.retention': typeof import('#server/domain/chat/retention.ts').retentionSettings
  'domain.ingest.capacity': typeof import('#server/domain/ingest/capacity.ts').transcoderSettings
  'domain.platforms.quota': typeof import('#server/domain/platforms/quota.ts').youtubeSettings
  'domain.realtime.tokens': typeof import('#server/domain/realtime/tokens.ts').centrifugoSettings
  'platforms.kick.webhook': typeof import('#server/platforms/kick/webhook.ts').kickSettings
  'storage.local': typeof import('#server/storage/local.ts').mediaSettings
}
