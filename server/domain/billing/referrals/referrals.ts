// Referrals: a share of what invited users pay within a year. It waits 30 days, and follows refunds and disputes.
import { byCurrency } from '#contract/entities/currencies.ts'
import type { Currency } from '#contract/entities/project.ts'
import { dayMs, iso } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Db } from '#server/db/open.ts'
import { projectTransaction, transaction } from '#server/db/transaction.ts'
import { countInvited } from '#server/domain/account/store.ts'
import { emptyBalance } from '#server/domain/money/balance.ts'
import { book, lockWallet } from '#server/domain/money/ledger.ts'
import {
  hasRelation,
  type Earning,
  findInviter,
  findReferrer,
  getEarning,
  getPercent,
  insertEarning,
  listDue,
  listEarnings,
  listUnearned,
  lockInvited,
  updateBooked,
  updateInviter,
} from './store.ts'
import { noticeDebt } from '#server/domain/billing/payments/notices.ts'
import { debitOf } from '#server/domain/billing/payments/settlement.ts'

/** Time after sign-up in which a user may name the inviter. */
const joinWithin = dayMs
/** Time after sign-up in which payments earn. */
const earnWithin = 365 * dayMs
/** Time between a payment and its earning. */
const waitFor = 30 * dayMs
const batch = 100

/** An amount by currency, minor units. */
export type ByCurrency = Readonly<Record<Currency, number>>

/** Referrals of a project. */
export interface ReferralInfo {
  readonly profit: ByCurrency
  readonly waiting: ByCurrency
  readonly members: number
  /** Hundredths of a percent. */
  readonly percent: number
  /** Referral code of the owner; null for a team project. */
  readonly code: string | null
}

/** Share of an amount, rounded down to the minor unit. @param percent hundredths of a percent */
export const earningOf = (netMinor: number, percent: number): number =>
  Number((BigInt(Math.max(0, netMinor)) * BigInt(percent)) / 10_000n)

/**
 * Stores the inviter of a new user.
 * @throws RuleError `ReferralRejected` for an unknown code, the own code, an older account, or a second code
 */
export async function joinByReferral({ db, clock }: Pick<Services, 'db' | 'clock'>, user: User, code: string) {
  await transaction(db, async (trx) => {
    const inviter = await findInviter(trx, code)
    const invited = await lockInvited(trx, user.id)
    const age = clock.now().getTime() - Date.parse(invited.date_create)
    const isNew = invited.invited_by === null && age <= joinWithin
    // An inviter with an older account cannot be invited in turn by the users that it invited.
    if (!inviter || !isNew || inviter.id >= invited.id) {
      throw new RuleError('ReferralRejected')
    }
    await updateInviter(trx, invited.id, inviter.id)
  })
}

/** Returns the referrals of a project: those of its owner for a personal project, none for a team project. */
export async function readReferrals(db: Db, projectId: number): Promise<ReferralInfo> {
  const referrer = await findReferrer(db, projectId)
  const rows = referrer ? await listEarnings(db, projectId) : []
  const sum = (currency: Currency, amount: (row: Earning) => number) =>
    rows.filter((row) => row.currency === currency).reduce((total, row) => total + amount(row), 0)
  const booked = (row: Earning) => row.booked_minor
  const open = (row: Earning) => Math.max(0, targetOf(row) - row.booked_minor)
  return {
    profit: byCurrency((currency) => sum(currency, booked)),
    waiting: byCurrency((currency) => sum(currency, open)),
    members: referrer ? await countInvited(db, referrer.id) : 0,
    percent: await getPercent(db),
    code: referrer?.ref_id ?? null,
  }
}

/** Records earnings of new payments, and books those that are due. Any number of replicas may run it. */
export async function earnReferrals(services: Pick<Services, 'db' | 'clock'>): Promise<void> {
  await recordEarnings(services)
  const now = iso(services.clock.now())
  for (let after = 0; ;) {
    const rows = await listDue(services.db, now, after, batch)
    for (const row of rows) if (targetOf(row) !== row.booked_minor) await bookEarning(services, row)
    const last = rows.at(-1)
    if (rows.length < batch || !last) return
    after = last.id
  }
}

/** A payment that earns nothing gets a row with 0 percent, so that it is judged once. */
async function recordEarnings({ db }: Pick<Services, 'db'>): Promise<void> {
  const percent = await getPercent(db)
  for (;;) {
    const rows = await listUnearned(db, batch)
    for (const row of rows) {
      const paid = Date.parse(row.date_pay)
      const isLate = paid > Date.parse(row.date_join) + earnWithin
      const earns = !isLate && !(await hasRelation(db, row.project_id, row.earner_id))
      await insertEarning(db, {
        payment_id: row.id,
        project_id: row.earner_id,
        percent_hundredths: earns ? percent : 0,
        currency: row.currency,
        date_due: iso(new Date(paid + waitFor)),
      })
    }
    if (rows.length < batch) return
  }
}

/** Books the difference to what is booked. A reversal of earnings that were spent becomes a debt. */
async function bookEarning({ db, clock }: Pick<Services, 'db' | 'clock'>, { id, project_id }: Earning): Promise<void> {
  await projectTransaction(db, project_id, async (trx) => {
    const wallet = await lockWallet(trx, project_id)
    const row = await getEarning(trx, id)
    const wanted = targetOf(row) - row.booked_minor
    // An earning in another currency than that of the project waits.
    if (wanted === 0 || row.currency !== wallet.currency) return
    if (wanted > 0 && (await hasRelation(trx, row.paying_id, project_id))) return
    const booked = await book(trx, iso(clock.now()), wallet, {
      type: 'referral_profit',
      currency: row.currency,
      ...(wanted > 0 ? { change: { ...emptyBalance, profit: wanted } } : debitOf(wallet, -wanted, 'profit')),
      links: { referral_id: row.paying_id },
    })
    await noticeDebt({ clock }, trx, {
      before: wallet,
      after: booked.wallet,
      ref: `referral ${id} ${row.booked_minor}`,
    })
    await updateBooked(trx, id, row.booked_minor + wanted)
  })
}

const targetOf = (row: Earning): number => earningOf(Number(row.net_minor), row.percent_hundredths)
