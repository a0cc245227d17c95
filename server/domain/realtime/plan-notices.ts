// Notices about plans that end: 7, 3 and 1 days before, and at the end. History, notifications of the owners, realtime banner.
import type { LineName } from '#contract/entities/plan.ts'
import { dayMs, iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { transaction } from '#server/db/transaction.ts'
import { planKind } from '#server/domain/notifications/kinds.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { textOf } from '#server/domain/notifications/texts.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { lineOf } from '#server/domain/tariffs/lines.ts'
import { insertNotice, listEnding } from '#server/domain/tariffs/subscriptions-store.ts'
import { publish } from './realtime.ts'

type NoticeServices = Pick<Services, 'db' | 'clock' | 'config' | 'log' | 'realtime'>

/** `week`, `three`, `day`: days before the end. */
type NoticeStep = 'week' | 'three' | 'day' | 'end'

/** The end of a term. */
export interface EndingTerm {
  readonly id: number
  readonly projectId: number
  readonly line: LineName
  readonly planId: number
  readonly end: string
}

/** Notices per round. */
const batch = 200

/** Sends the notices that are due before the ends of plans. A queued plan and automatic renewal need none. */
export async function notifyEndingPlans(services: NoticeServices): Promise<void> {
  const now = services.clock.now()
  const within = (days: number) => iso(later(now, days * dayMs))
  for (const term of await listEnding(services.db, iso(now), within(7), batch)) {
    const few = term.end <= within(3) ? 'three' : 'week'
    await noticePlan(services, term, term.end <= within(1) ? 'day' : few)
  }
}

/** Sends a notice once for each step of a term: history and notifications in one transaction, then the banner. */
export async function noticePlan(services: NoticeServices, term: EndingTerm, step: NoticeStep): Promise<void> {
  const { db, clock } = services
  const { id: termId, projectId, line, end } = term
  const { title: plan } = await lineOf(line).plan(db, term.planId)
  const kind = planKind(line, step === 'end' ? 'expired' : 'expires')
  const params = { line, plan, date_end: end }
  const isNew = await transaction(db, async (trx) => {
    if (!(await insertNotice(trx, { termId, kind: step, end, now: iso(clock.now()) }))) return false
    await recordHistory(services, trx, {
      projectId,
      userId: null,
      action: 'plan_notice',
      details: { line, plan, name: kind, date_end: end },
    })
    await notify(services, trx, { kind, projectId, ref: `${termId}.${end}.${step}`, params })
    return true
  })
  if (!isNew) return
  const [content_title, content_text] = textOf({ kind, params: JSON.stringify(params) }, 'en')
  publish(
    services,
    { type: 'project', id: projectId },
    {
      event: 'important-event',
      payload: { type: 'add', content_type: 'warning', content_title, content_text, content_actions: [] },
    },
  )
}
