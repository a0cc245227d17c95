// Tables of billing details, papers and renewals. Money in minor units, times as ISO 8601 text in UTC.
import type { Generated } from 'kysely'
import type { LineName } from '#contract/entities/plan.ts'
import type { Currency } from '#contract/entities/project.ts'

export interface PaperTables {
  /** Billing details of a project. */
  billing_profiles: {
    project_id: number
    /** ISO 3166-1 numeric. */
    country_id: number
    organization_id: number | null
    /** Preferred payment system; 0: none. */
    pay_system_id: number
    email: string
    street: string | null
    house_number: string | null
    zip: string | null
    city: string | null
    state: string | null
    company_name: string | null
    tax_id: string | null
    description: string | null
    date_change: string
  }
  /** Settings of the operator, in one row with id 1; no row: none. */
  paper_settings: {
    id: number
    seller_name: string
    seller_address: string
    seller_tax_id: string
    /** 54-FZ: tax system 1 to 6, and VAT code; both null: no receipts are sent. */
    tax_system: number | null
    vat_code: number | null
  }
  /**
   * Exchange rates of the operator: minor units of `to_currency` for a whole unit of `from_currency`. A pair has one row,
   * which counts for both directions; a pair without a row has no exchange.
   */
  rates: { from_currency: Currency; to_currency: Currency; minor: number }
  /** Tax that prices include, by country of the buyer. */
  tax_rates: {
    country_id: number
    percent_hundredths: number
    label: string
    /** 1: buyers with a tax id account for the tax themselves. */
    reverse_charge: Generated<0 | 1>
  }
  /** Last number of each series. The row is locked until the number is committed. */
  paper_series: { series: string; last_number: number }
  /** Issued papers; never changed or removed. */
  papers: {
    id: Generated<number>
    project_id: number
    kind: string
    series: string
    number: number
    /** Documented event, for example `payment 12`: one paper each. */
    source: string
    payment_id: number | null
    /** Frozen `Paper` as JSON. */
    content: string
    date_create: string
  }
  /** Renewal of a period of a line: one row per period end. */
  renewals: {
    id: Generated<number>
    project_id: number
    line: LineName
    /** End of the period that it prolongs. */
    date_end: string
    state: 'waiting' | 'done' | 'stopped'
    reason: string | null
    /** Price that the owners were notified of. */
    announced_minor: number | null
    date_announced: string | null
    /** Number of attempts so far. */
    tries: number
    /** Time of the next step. */
    date_next: string
  }
  /** Attempts to charge a renewal. The key is stored before the provider is called. */
  renewal_tries: {
    id: Generated<number>
    renewal_id: number
    seq: number
    key: string
    /** `open`, `done`, `declined` or `final`. */
    state: string
    reason: string | null
    payment_id: number | null
    date_create: string
  }
}
