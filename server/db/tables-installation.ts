// Tables of the installation: its settings, its operators and the log of their changes.
import type { Generated } from 'kysely'
import type { FactorDemand, SignUpMode } from '#contract/entities/account.ts'
import type { BillingMode } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'

export interface InstallationTables {
  /** One row, `id` 1. */
  installation: {
    id: number
    /** Use of plans; null: no answer yet. */
    billing: BillingMode | null
    /** Derived from `SECRET`; null: no service of this version has started yet. */
    secret_check: string | null
    /** Mode of sign-up that an operator has chosen; null: that of `SIGN_UP`. */
    sign_up: Generated<SignUpMode | null>
    /** Time of the last backup that was reported; null: none yet. */
    date_backup: Generated<string | null>
    /** Users that need a second factor. */
    second_factor: Generated<FactorDemand>
    /** Transcoders per project that an operator has chosen; null: `TRANSCODERS_MAX`. */
    transcoders_max: Generated<number | null>
    /** Time of the last drill, which restored a backup; null: none yet. */
    date_drill: Generated<string | null>
    /** Time of the last e-mail that the mail server accepted; null: none yet. */
    date_mail: Generated<string | null>
    /** Time and reason of the last e-mail that it did not accept; null: none yet. */
    date_mail_failure: Generated<string | null>
    mail_failure: Generated<string | null>
    /** Oldest migration that a release must know to run on this schema. */
    schema_floor: Generated<string | null>
    /** Number in the folder of media (MEDIA_DIR); null: no folder is in use yet. */
    media_marker: Generated<string | null>
  }
  /** Answers to challenges of running certificate orders (RFC 8555, 8.3), by their token. */
  acme_challenges: { token: string; answer: string; until: string }
  /** Bonus of a new personal project (migration 0067); none in a currency without a row. */
  bonuses: { currency: Currency; minor: number }
  /** Users that manage plans, prices and customers of the installation. */
  operators: { user_id: number; date_create: string }
  /** Changes by operators. Rows are never changed or removed. */
  operator_log: {
    id: Generated<number>
    /** Null: a command of the terminal. */
    user_id: number | null
    action: string
    /** Project that the change concerns; null for the installation. */
    project_id: number | null
    /** State before and after, as JSON. */
    before: string | null
    after: string | null
    reason: string
    date_create: string
  }
}
