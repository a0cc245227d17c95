// SQL of referrals: invited users, and earnings of their payments.
import { type ExpressionBuilder, sql } from 'kysely'
import { accessTypesFor } from '#contract/entities/roles.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

const settingsId = 1

/** Returns the share of payments that the inviter earns, hundredths of a percent. */
export async function getPercent(db: Db | Trx): Promise<number> {
  const row = await db
    .selectFrom('referral_settings')
    .select('percent_hundredths')
    .where('id', '=', settingsId)
    .executeTakeFirst()
  return row?.percent_hundredths ?? 0
}

/** Sets the share of payments that the inviter earns, hundredths of a percent. */
export async function updatePercent(trx: Trx, percent: number): Promise<void> {
  await trx
    .insertInto('referral_settings')
    .values({ id: settingsId, percent_hundredths: percent })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ percent_hundredths: percent }))
    .execute()
}

/** Returns the user of a referral code. */
export const findInviter = (db: Db | Trx, code: string) =>
  db.selectFrom('users').select(['id', 'date_create']).where('ref_id', '=', code).executeTakeFirst()

/** Returns the facts of a user that an invitation needs, locked until the transaction ends. */
export const lockInvited = (trx: Trx, userId: number) =>
  trx
    .selectFrom('users')
    .select(['id', 'invited_by', 'date_create'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()

/** Stores the inviter of a user. */
export async function updateInviter(trx: Trx, userId: number, inviterId: number): Promise<void> {
  await trx.updateTable('users').set({ invited_by: inviterId }).where('id', '=', userId).execute()
}

/** Returns the owner of a personal project with the referral code; undefined for a team project. */
export const findReferrer = (db: Db, projectId: number) =>
  db
    .selectFrom('projects')
    .innerJoin('project_members', 'project_members.project_id', 'projects.id')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select(['users.id', 'users.ref_id'])
    .where('projects.id', '=', projectId)
    .where('projects.type', '=', 0)
    .where('project_members.access_type', 'in', accessTypesFor('owner'))
    .executeTakeFirst()

/** Returns settled payments of invited users without an earning, oldest first, with the project that would earn. */
export const listUnearned = (db: Db, limit: number) =>
  db
    .selectFrom('payments')
    .innerJoin('projects', 'projects.id', 'payments.project_id')
    .innerJoin('project_members as own', 'own.project_id', 'projects.id')
    .innerJoin('users', 'users.id', 'own.user_id')
    .innerJoin('project_members as theirs', 'theirs.user_id', 'users.invited_by')
    .innerJoin('projects as earner', 'earner.id', 'theirs.project_id')
    .leftJoin('referral_earnings', 'referral_earnings.payment_id', 'payments.id')
    .select(['payments.id', 'payments.project_id', 'payments.currency', 'payments.date_create as date_pay'])
    .select(['users.date_create as date_join', 'earner.id as earner_id'])
    .where('projects.type', '=', 0)
    .where('own.access_type', 'in', accessTypesFor('owner'))
    .where('earner.type', '=', 0)
    .where('theirs.access_type', 'in', accessTypesFor('owner'))
    .where('payments.credited_minor', '>', 0)
    .where('referral_earnings.id', 'is', null)
    .orderBy('payments.id')
    .limit(limit)
    .execute()

/** Inserts the earning of a payment, once. */
export async function insertEarning(
  db: Db,
  values: Pick<
    Tables['referral_earnings'],
    'payment_id' | 'project_id' | 'percent_hundredths' | 'currency' | 'date_due'
  >,
): Promise<void> {
  await db
    .insertInto('referral_earnings')
    .values(values)
    .onConflict((conflict) => conflict.column('payment_id').doNothing())
    .execute()
}

type Joined = Tables & { earning: Tables['referral_earnings'] }

/** Amount that a payment has brought in: credited, less refunds and disputes. Minor units. */
const net = (eb: ExpressionBuilder<Joined, 'payments' | 'earning'>) =>
  sql<number>`${eb.ref('payments.credited_minor')}
    - coalesce((select sum(taken_minor - returned_minor) from payment_refunds where payment_id = payments.id), 0)
    - coalesce((select sum(withdrawn_minor - reinstated_minor) from payment_disputes where payment_id = payments.id), 0)`

const earnings = (db: Db | Trx) =>
  db
    .selectFrom('referral_earnings as earning')
    .innerJoin('payments', 'payments.id', 'earning.payment_id')
    .selectAll('earning')
    .select('payments.project_id as paying_id')
    .select((eb) => net(eb).as('net_minor'))

/** An earning with the amount that its payment has brought in. */
export type Earning = Awaited<ReturnType<typeof listEarnings>>[number]

/** Returns the earnings of a project. */
export const listEarnings = (db: Db | Trx, projectId: number) =>
  earnings(db).where('earning.project_id', '=', projectId).execute()

/** Returns the earnings with a share that are due, in pages by id. */
export const listDue = (db: Db, now: string, afterId: number, limit: number) =>
  earnings(db)
    .where('earning.date_due', '<=', now)
    .where('earning.percent_hundredths', '>', 0)
    .where('earning.id', '>', afterId)
    .orderBy('earning.id')
    .limit(limit)
    .execute()

/** Returns an earning. Lock the wallet of its project first. */
export const getEarning = (trx: Trx, id: number) => earnings(trx).where('earning.id', '=', id).executeTakeFirstOrThrow()

/** Sets the booked amount of an earning. */
export async function updateBooked(trx: Trx, id: number, bookedMinor: number): Promise<void> {
  await trx.updateTable('referral_earnings').set({ booked_minor: bookedMinor }).where('id', '=', id).execute()
}

/** Returns whether two projects share a member or a saved card. */
export async function hasRelation(db: Db | Trx, one: number, other: number): Promise<boolean> {
  const member = await db
    .selectFrom('project_members as a')
    .innerJoin('project_members as b', 'b.user_id', 'a.user_id')
    .select('a.user_id')
    .where('a.project_id', '=', one)
    .where('b.project_id', '=', other)
    .executeTakeFirst()
  if (member) return true
  const card = await db
    .selectFrom('payment_methods as a')
    .innerJoin('payment_methods as b', 'b.token_hash', 'a.token_hash')
    .select('a.id')
    .where('a.project_id', '=', one)
    .where('b.project_id', '=', other)
    .executeTakeFirst()
  return card !== undefined
}

/** Returns the booked earnings of the personal project of a user, minor units of its currency. */
export async function sumEarned(db: Db, userId: number): Promise<number> {
  const { sum } = await db
    .selectFrom('referral_earnings')
    .innerJoin('projects', 'projects.id', 'referral_earnings.project_id')
    .innerJoin('project_members', 'project_members.project_id', 'projects.id')
    .select((eb) => eb.fn.sum<number | null>('booked_minor').as('sum'))
    .where('projects.type', '=', 0)
    .where('project_members.user_id', '=', userId)
    .where('project_members.access_type', 'in', accessTypesFor('owner'))
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}
