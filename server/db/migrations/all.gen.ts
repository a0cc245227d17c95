// Generated from server/db/migrations/*.ts by scripts/house/registries.ts; do not edit.
import { up as _0001Base } from './0001-base.ts'
import { up as _0041Jobs } from './0041-jobs.ts'
import { up as _0042Marks } from './0042-marks.ts'
import { up as _0043DebtEntries } from './0043-debt-entries.ts'
import { up as _0044PushSessions } from './0044-push-sessions.ts'
import { up as _0045SrtOff } from './0045-srt-off.ts'
import { up as _0046FoldedNames } from './0046-folded-names.ts'
import { up as _0047ChangeSubject } from './0047-change-subject.ts'
import { up as _0048ReplacedKeys } from './0048-replaced-keys.ts'
import { up as _0049ReadIndexes } from './0049-read-indexes.ts'
import { up as _0050Owners } from './0050-owners.ts'
import { up as _0051PriceNotAnnounced } from './0051-price-not-announced.ts'
import { up as _0053OutboxJobs } from './0053-outbox-jobs.ts'
import { up as _0054UrgentJobs } from './0054-urgent-jobs.ts'
import { up as _0055ViewersJob } from './0055-viewers-job.ts'
import { up as _0056CustomerWords } from './0056-customer-words.ts'
import { up as _0057ChatRev } from './0057-chat-rev.ts'
import { up as _0058Periods } from './0058-periods.ts'
import { up as _0059ChatMarks } from './0059-chat-marks.ts'
import { up as _0060Files } from './0060-files.ts'
import { up as _0061LeasesOfJobs } from './0061-leases-of-jobs.ts'
import { up as _0062SecondFactors } from './0062-second-factors.ts'
import { up as _0063Prices } from './0063-prices.ts'
import { up as _0064OperatorDesk } from './0064-operator-desk.ts'
import { up as _0065Passkeys } from './0065-passkeys.ts'
import { up as _0066CustomersAndPeople } from './0066-customers-and-people.ts'
import { up as _0067Bonuses } from './0067-bonuses.ts'
import { up as _0068PlatformSeen } from './0068-platform-seen.ts'
import { up as _0069Rates } from './0069-rates.ts'
import { up as _0070PromoAmounts } from './0070-promo-amounts.ts'
import { up as _0071FactorDemands } from './0071-factor-demands.ts'
import { up as _0072PlanTitles } from './0072-plan-titles.ts'
import { up as _0074ServerHealth } from './0074-server-health.ts'
import { up as _0076Coupons } from './0076-coupons.ts'
import { up as _0077Holds } from './0077-holds.ts'
import { up as _0078SchemaFloor } from './0078-schema-floor.ts'
import { up as _0079PeriodDiscounts } from './0079-period-discounts.ts'
import { up as _0080AnnouncedPrices } from './0080-announced-prices.ts'
import { up as _0081ReverseCharge } from './0081-reverse-charge.ts'
import { up as _0082PapersByMonth } from './0082-papers-by-month.ts'
import { up as _0086AcmeChallenges } from './0086-acme-challenges.ts'
import { up as _0088ApiTokens } from './0088-api-tokens.ts'
import { up as _0089Apps } from './0089-apps.ts'
import { up as _0090StatsKeys } from './0090-stats-keys.ts'
import { up as _0091ChannelTracks } from './0091-channel-tracks.ts'
import { up as _0092ScopesOfRecords } from './0092-scopes-of-records.ts'
import { up as _0093Widgets } from './0093-widgets.ts'
import { up as _0094WebhooksOfApps } from './0094-webhooks-of-apps.ts'
import { up as _0095PicturesOfApps } from './0095-pictures-of-apps.ts'
import { up as _0096MediaFiles } from './0096-media-files.ts'
import { up as _0098PlatformHeals } from './0098-platform-heals.ts'
import { up as _0105RemoteSources } from './0105-remote-sources.ts'
import { up as _0106Films } from './0106-films.ts'
import { up as _0110Schedules } from './0110-schedules.ts'
import { up as _0113Silence } from './0113-silence.ts'
import { up as _0114Ladder } from './0114-ladder.ts'
import { up as _0115QualityRule } from './0115-quality-rule.ts'
import { up as _0117TitlesOfSchedules } from './0117-titles-of-schedules.ts'
import { up as _0118PlannedBroadcasts } from './0118-planned-broadcasts.ts'

/** Migrations by name. */
export const migrations = {
  '0001-base': _0001Base,
  '0041-jobs': _0041Jobs,
  '0042-marks': _0042Marks,
  '0043-debt-entries': _0043DebtEntries,
  '0044-push-sessions': _0044PushSessions,
  '0045-srt-off': _0045SrtOff,
  '0046-folded-names': _0046FoldedNames,
  '0047-change-subject': _0047ChangeSubject,
  '0048-replaced-keys': _0048ReplacedKeys,
  '0049-read-indexes': _0049ReadIndexes,
  '0050-owners': _0050Owners,
  '0051-price-not-announced': _0051PriceNotAnnounced,
  '0053-outbox-jobs': _0053OutboxJobs,
  '0054-urgent-jobs': _0054UrgentJobs,
  '0055-viewers-job': _0055ViewersJob,
  '0056-customer-words': _0056CustomerWords,
  '0057-chat-rev': _0057ChatRev,
  '0058-periods': _0058Periods,
  '0059-chat-marks': _0059ChatMarks,
  '0060-files': _0060Files,
  '0061-leases-of-jobs': _0061LeasesOfJobs,
  '0062-second-factors': _0062SecondFactors,
  '0063-prices': _0063Prices,
  '0064-operator-desk': _0064OperatorDesk,
  '0065-passkeys': _0065Passkeys,
  '0066-customers-and-people': _0066CustomersAndPeople,
  '0067-bonuses': _0067Bonuses,
  '0068-platform-seen': _0068PlatformSeen,
  '0069-rates': _0069Rates,
  '0070-promo-amounts': _0070PromoAmounts,
  '0071-factor-demands': _0071FactorDemands,
  '0072-plan-titles': _0072PlanTitles,
  '0074-server-health': _0074ServerHealth,
  '0076-coupons': _0076Coupons,
  '0077-holds': _0077Holds,
  '0078-schema-floor': _0078SchemaFloor,
  '0079-period-discounts': _0079PeriodDiscounts,
  '0080-announced-prices': _0080AnnouncedPrices,
  '0081-reverse-charge': _0081ReverseCharge,
  '0082-papers-by-month': _0082PapersByMonth,
  '0086-acme-challenges': _0086AcmeChallenges,
  '0088-api-tokens': _0088ApiTokens,
  '0089-apps': _0089Apps,
  '0090-stats-keys': _0090StatsKeys,
  '0091-channel-tracks': _0091ChannelTracks,
  '0092-scopes-of-records': _0092ScopesOfRecords,
  '0093-widgets': _0093Widgets,
  '0094-webhooks-of-apps': _0094WebhooksOfApps,
  '0095-pictures-of-apps': _0095PicturesOfApps,
  '0096-media-files': _0096MediaFiles,
  '0098-platform-heals': _0098PlatformHeals,
  '0105-remote-sources': _0105RemoteSources,
  '0106-films': _0106Films,
  '0110-schedules': _0110Schedules,
  '0113-silence': _0113Silence,
  '0114-ladder': _0114Ladder,
  '0115-quality-rule': _0115QualityRule,
  '0117-titles-of-schedules': _0117TitlesOfSchedules,
  '0118-planned-broadcasts': _0118PlannedBroadcasts,
} as const
