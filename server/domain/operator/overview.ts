// Overview of the installation: revenue, plans, unpaid money, and what waits for a decision of the operator.
import { type InboxKind, inboxKinds, overdueDays } from '#contract/entities/operator.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { countTroubledJobs } from '#server/db/jobs.ts'
import { getInstallation } from '#server/domain/installation/store.ts'
import { sumMovements } from './ledger-store.ts'
import { backupLimit } from './notices.ts'
import { type Waiting, countDebts, countRefused, countWaitingPayouts } from './overview-store.ts'
import { countPayments } from './payments-store.ts'
import { countSubscriptions, sumMonthly } from './subscriptions-store.ts'

type Part = Reading<Pick<Services, 'db' | 'clock'>>

/** Returns the time until which an opened invoice is overdue, as ISO 8601. */
export const overdueBefore = ({ clock }: Pick<Services, 'clock'>): string =>
  iso(later(clock.now(), -overdueDays * 86_400_000))

/** Returns the first moment of a month, counted from the current one, as ISO 8601. */
function monthOf({ clock }: Pick<Services, 'clock'>, offset: number): string {
  const now = clock.now()
  return iso(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset)))
}

/** Returns the overview. Every number is that of the list that the page links to. */
export async function getOverview(services: Part) {
  const { db, clock } = services
  const now = iso(clock.now())
  const [last, current, next] = [monthOf(services, -1), monthOf(services, 0), monthOf(services, 1)]
  const received = async (from: string, to: string) => (await sumMovements(db, { view: 'received', from, to })).sums
  const recurring = { view: 'recurring', now } as const
  const month = { now, from: current, to: next } as const
  const overdue = overdueBefore(services)
  return {
    months: { last, current, next },
    revenue: { current: await received(current, next), last: await received(last, current) },
    recurring: { count: await countSubscriptions(db, recurring), sums: await sumMonthly(db, recurring) },
    plans: {
      new: await countSubscriptions(db, { view: 'new', ...month }),
      ended: await countSubscriptions(db, { view: 'ended', ...month }),
    },
    unpaid: countedOf(await countPayments(db, { status: 'transfer', overdue })),
    overdue: countedOf(await countPayments(db, { status: 'overdue', overdue })),
    debts: countedOf(await countDebts(db)),
    inbox: await listInbox(services),
    date_backup: (await getInstallation(db)).date_backup,
  }
}

const countedOf = ({ count, sums }: Waiting) => ({ count, sums: [...sums] })

/** Returns what waits for a decision: the kinds that have an item. */
async function listInbox(services: Part) {
  const { db } = services
  const overdue = overdueBefore(services)
  const ofPayments = (status: 'transfer' | 'review' | 'dispute') => countPayments(db, { status, overdue })
  const counted: Readonly<Record<InboxKind, Pick<Waiting, 'count' | 'oldest'>>> = {
    transfer: await ofPayments('transfer'),
    payout: await countWaitingPayouts(db),
    review: await ofPayments('review'),
    dispute: await ofPayments('dispute'),
    receipt: await countRefused(db),
    job: { count: (await countTroubledJobs(db)).parked, oldest: null },
    backup: await countOldBackups(services),
  }
  return inboxKinds.flatMap((kind) => {
    const { count, oldest } = counted[kind]
    return count === 0 ? [] : { kind, count, date_oldest: oldest }
  })
}

async function countOldBackups(services: Part): Promise<Pick<Waiting, 'count' | 'oldest'>> {
  const { date_backup: oldest } = await getInstallation(services.db)
  const isOld = oldest !== null && oldest < backupLimit(services)
  return { count: isOld ? 1 : 0, oldest }
}
