// Check of the ledger: the entries of each transaction sum to zero in one currency, and the accounts of each project agree with
// its balance, payments and payouts in each currency.
import { sql } from 'kysely'
import type { Currency } from '#contract/entities/project.ts'
import { countRows } from '#server/db/fragments.ts'
import type { ReadDb } from '#server/db/open.ts'

/** An account of a project that differs from what it stands for. */
export interface DifferingAccount {
  readonly projectId: number
  /** As in accounts.ts. */
  readonly account: string
  readonly currency: Currency
  /** Sum of the entries less the expected sum, minor units. */
  readonly minor: number
}

/** Result of a check. Lists have at most 20 elements. */
export interface LedgerCheck {
  readonly transactions: number
  /** Ids of transactions whose entries do not sum to zero, or that have two currencies. */
  readonly unbalanced: readonly number[]
  readonly wallets: number
  readonly differing: readonly DifferingAccount[]
}

const shownMax = 20

/** Reads the whole ledger. */
export async function getLedgerCheck(db: ReadDb): Promise<LedgerCheck> {
  const { rows: unbalanced } = await sql<{ id: number }>`
    select transaction_id as id from ledger_entries
    group by transaction_id having sum(amount_minor) <> 0 or min(currency) <> max(currency)
    order by transaction_id limit ${shownMax}`.execute(db)
  return {
    transactions: await countRows(db.selectFrom('ledger_transactions')),
    unbalanced: unbalanced.map(({ id }) => Number(id)),
    wallets: await countRows(db.selectFrom('wallets')),
    differing: await listDifferingAccounts(db),
  }
}

/**
 * Lists accounts whose entries differ from what they stand for, by currency: the balance and the debt in the currency of the
 * project and zero in any other, what providers have by the booked payments, and payouts that wait or were sent.
 * @param projectId default: all projects
 */
export async function listDifferingAccounts(db: ReadDb, projectId?: number): Promise<DifferingAccount[]> {
  const wanted = projectId === undefined ? sql`` : sql`where project_id = ${projectId}`
  const { rows } = await sql<DifferingAccount>`
    select project_id as "projectId", account, currency, sum(minor) as minor from (
      select project_id, account, currency, amount_minor as minor from ledger_entries
      where account in ('bonus', 'payment', 'profit', 'receivable', 'payouts') or account like 'clearing.%'
      union all
      select id, 'bonus', currency, -bonus_minor from projects join wallets on project_id = id
      union all
      select id, 'payment', currency, -payment_minor from projects join wallets on project_id = id
      union all
      select id, 'profit', currency, -profit_minor from projects join wallets on project_id = id
      union all
      select id, 'receivable', currency, debt_minor from projects join wallets on project_id = id
      union all
      select project_id, 'clearing.' || provider, currency, credited_minor from payments
      union all
      select project_id, 'clearing.' || provider, currency, returned_minor - taken_minor
      from payment_refunds join payments on payments.id = payment_id
      union all
      select project_id, 'clearing.' || provider, currency, reinstated_minor - withdrawn_minor
      from payment_disputes join payments on payments.id = payment_id
      union all
      select project_id, 'payouts', currency, -amount_minor from payouts where status in ('waiting', 'sent')
    ) as parts ${wanted}
    group by project_id, account, currency having sum(minor) <> 0
    order by project_id, account, currency limit ${shownMax}`.execute(db)
  return rows.map((row) => ({ ...row, projectId: Number(row.projectId), minor: Number(row.minor) }))
}
