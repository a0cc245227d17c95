// All tables of the database, and the few that have no file of their own. Times are ISO 8601 text in UTC.
import type { AccountTables } from './tables-accounts.ts'
import type { AdvanceTables } from './tables-advances.ts'
import type { AppTables } from './tables-apps.ts'
import type { PaymentTables } from './tables-billing.ts'
import type { BroadcastTables, IngestTables, RecordingTables, TranscoderTables } from './tables-broadcasts.ts'
import type { ChannelTables } from './tables-channels.ts'
import type { ChatTables } from './tables-chat.ts'
import type { JobTables } from './tables-jobs.ts'
import type { PaperTables } from './tables-papers.ts'
import type { PlatformTables } from './tables-platforms.ts'
import type { InstallationTables } from './tables-installation.ts'
import type { HistoryTables, ProjectTables } from './tables-projects.ts'
import type { NotificationTables, WebhookTables } from './tables-notifications.ts'
import type { PromoTables } from './tables-promos.ts'
import type { ScheduleTables } from './tables-schedules.ts'
import type { LedgerTables, TariffTables } from './tables-tariffs.ts'

/** Always empty: `probe` of `open.ts` adds rows and removes them. */
interface ProbeTables {
  write_probes: { filler: string }
}

export interface Tables
  extends
    AccountTables,
    AdvanceTables,
    AppTables,
    BroadcastTables,
    ChannelTables,
    ChatTables,
    HistoryTables,
    IngestTables,
    InstallationTables,
    JobTables,
    NotificationTables,
    PaperTables,
    PlatformTables,
    ProbeTables,
    ProjectTables,
    PromoTables,
    RecordingTables,
    ScheduleTables,
    LedgerTables,
    PaymentTables,
    TariffTables,
    TranscoderTables,
    WebhookTables {}
