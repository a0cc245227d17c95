// Query key prefixes that each write invalidates. Every write of the groups below needs a row: a missing one does not
// compile.
import type { Groups } from './written-groups.ts'

type Ids<Kind extends 'read' | 'write'> = {
  [Group in keyof Groups]: {
    [Name in keyof Groups[Group] & string]: Groups[Group][Name] extends { kind: Kind } ? `${Group}.${Name}` : never
  }[keyof Groups[Group] & string]
}[keyof Groups]
type Area = keyof Groups extends `${infer Name}.${string}` ? Name : never
/** A read, a whole group, or a whole area. */
type Stale = Ids<'read'> | keyof Groups | Area

const person: readonly Stale[] = ['account', 'projects.projects.list', 'projects.projects.members']
const plans: readonly Stale[] = [
  'tariffs',
  'billing',
  'projects.projects.info',
  'projects.projects.get',
  'projects.history',
  'account.profile',
  'ingest',
]

const money: readonly Stale[] = [
  'billing',
  'tariffs',
  'projects.projects.info',
  'projects.projects.get',
  'projects.history',
  'account.profile',
]

const operatorMoney: readonly Stale[] = ['operator.payouts', 'billing', 'projects.projects.info']

/** The lists of channels and the broadcasts both show which channels receive the stream. */
const transcoding: readonly Stale[] = ['ingest.transcoders', 'channels.channels', 'projects.history']

/** Writes that invalidate their own area, so they need no row. */
type OwnArea =
  | `channels.${'add-channel' | 'invites' | 'platforms' | 'planned' | 'settings'}.${string}`
  | `channels.channels.${'setStatus' | 'bulkStatus' | 'setDelay'}`
  | 'channels.access.change'

const table: Readonly<Record<Exclude<Ids<'write'>, OwnArea>, readonly Stale[]>> = {
  // The session begins or ends, and its queries with it.
  'account.auth.exchange': [],
  'account.auth.appCode': [],
  'account.auth.refreshAccess': [],
  'account.auth.logout': [],
  'account.auth.connect': [],
  'account.auth.connectCallback': ['account.socials'],
  'account.auth.connectTelegram': ['account.socials'],
  'account.auth.disconnect': ['account.socials'],
  'account.auth.clientConfiguration': [],
  // Called by browsers and providers, not by the dashboard.
  'account.auth.authTelegram': [],
  'account.auth.callbackVk': [],
  'account.auth.callbackVkId': [],
  'account.auth.callbackGoogle': [],

  // A new country may exchange the balance.
  // A settled payment changes balances and plans.
  'billing.payments.create': ['billing', ...plans],
  'billing.payments.cancel': ['billing', ...plans],
  // Calls of these return an address, and change nothing that a page shows.
  'billing.pay-systems.payoneer': [],
  'billing.pay-systems.unitpay': [],
  'billing.pay-systems.tBank': [],
  'billing.pay-systems.create': [],
  'billing.methods.setDefault': ['billing'],
  'billing.renewals.retry': ['billing'],
  'billing.methods.remove': ['billing'],
  'billing.pay-settings.set': ['billing', 'projects.projects', 'projects.history', 'tariffs', 'account.profile'],

  // The relay applies the change later: pages that show the broadcast refetch by themselves.
  'broadcasts.broadcasts.stop': ['broadcasts', 'channels.channels'],
  'broadcasts.broadcasts.pause': ['broadcasts'],
  'broadcasts.broadcasts.play': ['broadcasts'],
  'broadcasts.broadcasts.retry': ['broadcasts.broadcasts.status', 'channels.channels'],

  // Messages arrive by realtime, and a page applies its own acts.
  'chat.chat.send': [],
  'chat.chat.again': [],
  'chat.chat.remove': ['chat.moderate'],
  'chat.chat.watch': [],
  'chat.chat.test': [],
  'chat.keys.add': ['chat.keys'],
  'chat.keys.remove': ['chat.keys', 'chat.chat.key'],
  'chat.moderate.act': ['chat.moderate'],
  'chat.moderate.star': [],
  'chat.moderate.forget': ['chat'],
  'chat.settings.set': ['chat.settings', 'chat.chat.capabilities'],

  // Without the queries of the channel itself: the channel no longer exists.
  'channels.channels.remove': ['channels.channels.search', 'channels.channels.short'],
  'channels.channels.test': ['channels.channels'],
  'channels.telegram-chat.setTelegram': ['channels.telegram-chat'],
  'channels.telegram-chat.setSettings': ['channels.telegram-chat'],
  'channels.telegram-chat.init': [],
  // The posts no longer exist.
  'channels.telegram-chat.disconnect': ['channels.telegram-chat.settings'],
  // Only the new owner may read its invitations.
  'channels.access.transferOwner': ['channels.channels', 'channels.access'],
  // The project may have lost the channel.
  'channels.access.del': ['channels.access', 'channels.channels.search', 'channels.channels.short'],

  'account.sessions.close': ['account.sessions'],
  'account.sessions.closeOthers': ['account.sessions'],
  'account.settings.password': ['account.sessions', 'account.socials'],
  'account.settings.email': ['account.auth.me', 'account.socials'],
  'account.settings.confirm': [],
  'account.settings.language': ['account.auth.me', 'account.profile'],
  'account.profile.update': person,
  'account.usersProfile.update': person,
  // `me` and the profile contain the selected project.
  'projects.projects.select': ['account.auth.me', 'account.profile', 'account.usersProfile'],
  'broadcasts.recordings.remove': ['broadcasts.recordings', 'broadcasts.broadcasts.list', 'projects.history'],
  'ingest.pull-keys.create': ['ingest.pull-keys'],
  'ingest.pull-keys.update': ['ingest.pull-keys'],
  'ingest.pull-keys.remove': ['ingest.pull-keys'],
  'ingest.stream-keys.rotate': ['ingest.stream-keys'],
  'ingest.stream-keys.setRecord': ['ingest.stream-keys'],
  'ingest.stream-keys.setWait': ['ingest.stream-keys', 'broadcasts.broadcasts.status'],
  'ingest.transcoders.add': transcoding,
  'ingest.transcoders.update': transcoding,
  'ingest.transcoders.remove': transcoding,
  'ingest.transcoders.stop': transcoding,
  'ingest.transcoders.start': transcoding,
  'ingest.transcoders.resetDelay': transcoding,
  // Most of them change the caller's permissions.
  'projects.projects.create': ['projects.projects.list'],
  'projects.projects.update': ['projects'],
  'projects.members.changeAccess': ['projects', 'chat.chat.capabilities'],
  'projects.members.del': ['projects'],
  'projects.members.delete': ['projects'],
  'projects.members.leave': ['projects.projects.list'],
  // Without the invitations: the caller may no longer read them.
  'projects.members.transferOwner': ['projects.projects', 'projects.history', 'chat.chat.capabilities'],
  'notifications.webhooks.add': ['notifications.webhooks'],
  'notifications.webhooks.update': ['notifications.webhooks'],
  'notifications.webhooks.del': ['notifications.webhooks'],
  'notifications.webhooks.rotate': ['notifications.webhooks.list'],
  'notifications.webhooks.resend': ['notifications.webhooks.attempts'],
  'notifications.history.read': ['notifications.history'],
  // The answer to an invitation changes projects and channels.
  'notifications.history.runAction': ['notifications.history', 'projects', 'channels'],
  'notifications.history.setAllCabinetRead': ['notifications.history'],
  'notifications.settings.set': ['notifications.settings.get'],
  'notifications.settings.removeScreen': ['notifications.settings.screen'],
  'notifications.settings.delMobileToken': ['notifications.settings'],
  'notifications.settings.setPreferences': ['notifications.settings.preferences'],
  'notifications.settings.addPush': ['notifications.settings'],
  // The bot connects the account after this response.
  'notifications.settings.linkTelegram': [],
  'notifications.settings.unlinkTelegram': ['notifications.settings'],
  'notifications.settings.test': ['notifications.history'],
  'projects.invites.add': ['projects.invites', 'projects.history'],
  'projects.invites.del': ['projects.invites', 'projects.history'],
  'projects.invites.accept': ['projects.projects.list'],
  // No page of the user shows a change.
  'projects.invites.getForSecret': [],
  'projects.invites.signUp': [],
  'projects.invites.decline': [],
  // Every page depends on the use of plans.
  'operator.settings.setBilling': ['operator', 'account.auth.me', 'tariffs', 'projects.projects'],
  'operator.settings.setBonus': ['operator'],
  'operator.promos.create': ['operator.promos'],
  'operator.promos.end': ['operator.promos'],
  'operator.papers.setSeller': ['operator.papers'],
  'operator.papers.setExchange': ['operator.papers', 'billing.pay-settings'],
  'operator.papers.setReceipts': ['operator.papers'],
  'operator.papers.setTax': ['operator.papers'],
  'operator.health.resolveReceipt': ['operator.health'],
  'operator.health.runJob': ['operator.health'],
  'operator.health.giveUpJob': ['operator.health'],
  'operator.payouts.sent': operatorMoney,
  'operator.payouts.refuse': operatorMoney,
  'operator.payouts.setWay': operatorMoney,
  'operator.payouts.setReferral': operatorMoney,
  'operator.payments.markPaid': ['operator.payments', ...money, ...plans],
  'operator.payments.refund': ['operator.payments', ...money, ...plans],
  'operator.payments.dispute': ['operator.payments', ...money],
  'operator.payments.endDispute': ['operator.payments', ...money],
  'operator.payments.resolve': ['operator.payments', ...money],
  'operator.plans.saveRestream': ['operator', 'tariffs'],
  'operator.plans.saveTranscoding': ['operator', 'tariffs'],
  'operator.plans.saveStorage': ['operator', 'tariffs'],
  'operator.plans.order': ['operator', 'tariffs'],
  'operator.plans.setDiscount': ['operator', 'tariffs'],
  'operator.plans.assign': ['operator', 'tariffs'],
  'operator.customers.changeBalance': ['operator', 'billing', 'projects'],
  'operator.customers.gift': ['operator', 'billing', 'tariffs', 'projects'],
  'tariffs.restream.buy': plans,
  'tariffs.promo.apply': plans,
  'billing.payouts.create': money,
  'billing.payouts.cancel': money,
  'billing.referrals.join': [],
  'billing.transfers.move': money,
  'tariffs.restream.cancelNext': plans,
  'tariffs.restream.prolongation': plans,
  'tariffs.storage.buy': plans,
  'tariffs.storage.cancelNext': plans,
  'tariffs.storage.prolongation': plans,
  'tariffs.transcoding.buy': plans,
  'tariffs.transcoding.cancelNext': plans,
  'tariffs.transcoding.prolongation': plans,
}

/** Prefixes of the query keys that a write invalidates. A write without a row invalidates its own area. */
export const staleAfter = (id: string): readonly string[] =>
  (table as Readonly<Record<string, readonly string[]>>)[id] ?? [id.split('.')[0] ?? id]
