// Hourly cleanup: expired codes, refresh tokens and sessions, old load reports of nodes, and the per-second samples of old
// broadcasts. Books referral earnings, and reviews the space of recordings.
import { removeOldChat } from '#server/domain/chat/retention.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { removeEvents } from '#server/domain/billing/payments/store.ts'
import { thinSamples } from '#server/domain/broadcasts/samples.ts'
import { earnReferrals } from '#server/domain/billing/referrals/referrals.ts'
import { reviewStorage } from '#server/domain/broadcasts/storage-removal.ts'
import { removeExpiredCodes } from '#server/domain/account/codes-store.ts'
import { removeExpiredBrowsers } from '#server/domain/account/factors-store.ts'
import { removeExpiredOAuthStates } from '#server/domain/account/oauth-state-store.ts'
import { removeEndedFamilies, removeExpiredTokens } from '#server/domain/account/sessions-store.ts'
import { removeExpiredRecords } from '#server/domain/projects/app-records-store.ts'
import { removeOldInbox } from '#server/domain/platforms/inbox-store.ts'
import { removeExpiredLinkTokens } from '#server/domain/notifications/addresses-store.ts'
import { removeOldMessages } from '#server/domain/notifications/webhooks-store.ts'
import { removeOld } from '#server/domain/notifications/store.ts'
import { forgetOldReports } from '#server/domain/ingest/nodes.ts'

/** Ended sessions are kept this long for audits. */
const keepMs = 30 * 86_400_000
/** Notifications are kept this long, and removed in transactions of `batch` rows. */
const notificationsMs = 180 * 86_400_000
const batch = 1_000
/** Webhook messages are kept this long. */
const eventsMs = 90 * 86_400_000
/** Delivered chat messages without a reader are kept this long. */
const inboxMs = 86_400_000

/** Runs one cleanup. Safe on any number of replicas. */
export async function sweep(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  await removeExpiredOAuthStates(db, iso(now))
  const old = iso(later(now, -keepMs))
  await removeExpiredCodes(db, old)
  await removeExpiredBrowsers(db, iso(now))
  await removeOldInbox(db, iso(later(now, -inboxMs)))
  await removeEvents(db, iso(later(now, -eventsMs)))
  await removeExpiredTokens(db, iso(now))
  await removeExpiredLinkTokens(db, iso(now))
  while ((await removeOld(db, iso(later(now, -notificationsMs)), batch)) === batch);
  await removeOldMessages(db, old)
  await removeExpiredRecords(db, iso(now))
  await removeEndedFamilies(db, old)
  await forgetOldReports({ db, clock })
  await thinSamples({ db, clock })
  await earnReferrals({ db, clock })
  await reviewStorage(services)
  await removeOldChat(services)
}
