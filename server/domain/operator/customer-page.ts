// Page of one project for operators: members, plans, papers and notes; and its suspension.
import { slotNames } from '#contract/entities/operator.ts'
import { lineNames } from '#contract/entities/plan.ts'
import { iso } from '#server/core/clock.ts'
import type { Reading, Services, User } from '#server/core/context.ts'
import { NotFoundError, RuleError } from '#server/core/errors.ts'
import { transaction } from '#server/db/transaction.ts'
import { numberOf } from '#server/domain/billing/papers/paper.ts'
import { holdOnAir } from '#server/domain/broadcasts/stops.ts'
import { logOperator } from '#server/domain/installation/operator-log.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { findRole, findSuspension } from '#server/domain/projects/store.ts'
import { findRenewal } from '#server/domain/tariffs/subscriptions-store.ts'
import { readState } from '#server/domain/tariffs/subscriptions.ts'
import { lineOf } from '#server/domain/tariffs/lines.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'
import { customerOf } from './customers.ts'
import {
  insertNote,
  listCustomerMembers,
  listNotes,
  listRedeemed,
  listRecentPapers,
  updateSuspension,
} from './customer-store.ts'
import { findCustomer, findProjectOf } from './store.ts'

type Part = Pick<Services, 'db' | 'clock'>

const nameOf = (...parts: readonly (string | null)[]): string => parts.filter(Boolean).join(' ')

/** Returns a project as operators see it. @throws NotFoundError `ProjectNotFound` */
export async function getCustomer(services: Reading<Part>, projectId: number) {
  const { db } = services
  const row = await findCustomer(db, projectId)
  if (!row) throw projectNotFound()
  const members = await listCustomerMembers(db, projectId)
  return {
    ...(await customerOf(services, row)),
    suspended: await findSuspension(db, projectId),
    members: members.map(({ first_name, last_name, ...member }) => ({
      ...member,
      name: nameOf(first_name, last_name),
    })),
    plans: await listSlots(services, projectId),
    promos: await listRedeemed(db, projectId),
    papers: (await listRecentPapers(db, projectId)).map(({ id, series, number, ...paper }) => ({
      paper_id: id,
      number: numberOf(series, number),
      ...paper,
    })),
    notes: (await listNotes(db, projectId)).map(({ id, first_name, last_name, text, date_create }) => ({
      note_id: id,
      user: nameOf(first_name, last_name),
      text,
      date_create,
    })),
  }
}

/** Returns the slots of all lines that have a plan. */
async function listSlots({ db, clock }: Reading<Part>, projectId: number) {
  const lines = await Promise.all(
    lineNames.map(async (line) => {
      const { before, current, next } = (await readState(db, clock, projectId, line)).slots
      const renews = await findRenewal(db, projectId, line)
      const slots = slotNames.flatMap((slot) => {
        const term = { before, current, next }[slot]
        // Only restream has a plan that was never bought.
        return term !== null && (line === 'restream' || term.id !== null) ? { slot, term } : []
      })
      return await Promise.all(
        slots.map(async ({ slot, term }) => ({
          line,
          slot,
          title: (await lineOf(line).plan(db, term.planId)).title,
          date_start: term.start,
          date_end: term.end,
          renews: slot === 'current' && renews,
        })),
      )
    }),
  )
  return lines.flat()
}

const projectNotFound = () => new NotFoundError('ProjectNotFound')

/** Adds a note. @throws NotFoundError `ProjectNotFound` */
export async function addNote({ db, clock }: Part, user: User, projectId: number, text: string): Promise<void> {
  await transaction(db, async (trx) => {
    if (!(await findProjectOf(trx, projectId))) throw projectNotFound()
    await insertNote(trx, { project_id: projectId, user_id: user.id, text, date_create: iso(clock.now()) })
  })
}

/**
 * Suspends a project: its broadcast ends, encoders are refused, members only read and pay, and renewals wait. Or resumes it.
 * @throws NotFoundError `ProjectNotFound`; RuleError `OwnProject` for a project of the operator, `AlreadySuspended`, `NotSuspended`
 */
export async function suspendProject(
  services: Part & Pick<Services, 'relay'>,
  user: User,
  {
    projectId,
    isSuspended,
    reason,
  }: { readonly projectId: number; readonly isSuspended: boolean; readonly reason: string },
): Promise<void> {
  const { db, clock, relay } = services
  await transaction(db, async (trx) => {
    const project = await findProjectOf(trx, projectId)
    if (!project) throw projectNotFound()
    await lockProject(trx, projectId)
    if (isSuspended && (await findRole(trx, projectId, user.id)) !== null) throw new RuleError('OwnProject')
    const before = await findSuspension(trx, projectId)
    if (isSuspended && before) throw new RuleError('AlreadySuspended')
    if (!isSuspended && !before) throw new RuleError('NotSuspended')
    const now = iso(clock.now())
    if (isSuspended) await holdOnAir(services, trx, projectId)
    await updateSuspension(trx, projectId, isSuspended ? { date: now, reason } : null)
    const action = isSuspended ? 'project_suspended' : 'project_resumed'
    await logOperator(trx, clock, { userId: user.id, action, projectId, reason })
    const fact = { projectId, ref: now, params: { project: project.name, reason } }
    await notify(services, trx, { kind: action, ...fact })
  })
  if (isSuspended) relay.stop(projectId)
}
