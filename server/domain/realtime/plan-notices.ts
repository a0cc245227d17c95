// Notices about plans that end: 7 days and 1 day before, and at the end. History, realtime banner, and e-mail to the owners.
import type { LineName } from '#contract/entities/plan.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { transaction } from '#server/db/transaction.ts'
import { sendMail } from '#server/domain/account/mail.ts'
import { listOwnerContacts } from '#server/domain/billing/renewal-store.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { lineOf } from '#server/domain/tariffs/lines.ts'
import { insertNotice, listEnding } from '#server/domain/tariffs/notices-store.ts'
import { noticeText, type NoticeKind } from './plan-notice-texts.ts'
import { publish } from './realtime.ts'

type NoticeServices = Pick<Services, 'db' | 'clock' | 'config' | 'log' | 'realtime'>

/** The end of a term. */
export interface EndingTerm {
  readonly id: number
  readonly projectId: number
  readonly line: LineName
  readonly planId: number
  readonly end: string
}

const dayMs = 86_400_000
/** Notices per round. */
const batch = 200

/** Published names of notices, by line. */
const published: Readonly<Record<LineName, Readonly<Record<NoticeKind, string>>>> = {
  restream: names('plan_restream'),
  transcoding: names('plan_transcoder'),
  storage: names('plan_storage'),
}

function names(prefix: string) {
  return { week: `${prefix}_expires`, day: `${prefix}_expires`, end: `${prefix}_expired` }
}

/** Sends the notices that are due before the ends of plans. A queued plan and automatic renewal need none. */
export async function notifyEndingPlans(services: NoticeServices): Promise<void> {
  const now = services.clock.now()
  for (const term of await listEnding(services.db, iso(now), iso(later(now, 7 * dayMs)), batch)) {
    await notify(services, term, term.end <= iso(later(now, dayMs)) ? 'day' : 'week')
  }
}

/** Sends a notice once for each end of a term; history, then the banner and e-mails after the commit. */
export async function notify(services: NoticeServices, term: EndingTerm, kind: NoticeKind): Promise<void> {
  const { db, clock } = services
  const { id: termId, projectId, line, end } = term
  const { title } = await lineOf(line).plan(db, term.planId)
  const isNew = await transaction(db, async (trx) => {
    if (!(await insertNotice(trx, { termId, kind, end, now: iso(clock.now()) }))) return false
    const details = { line, plan: title, name: published[line][kind], date_end: end }
    await recordHistory(services, trx, { projectId, userId: null, action: 'plan_notice', details })
    return true
  })
  if (!isNew) return
  const banner = noticeText('en', { kind, line, title, end })
  publish(
    services,
    { type: 'project', id: projectId },
    {
      event: 'important-event',
      payload: {
        type: 'add',
        content_type: 'warning',
        content_title: banner.subject,
        content_text: banner.text,
        content_actions: [],
      },
    },
  )
  for (const { email, language } of await listOwnerContacts(db, projectId)) {
    await sendMail(services, email, (origin) => {
      const { subject, text } = noticeText(language, { kind, line, title, end })
      return { subject, text: `${text}\n\n${origin}/p/${projectId}/tariffs\n` }
    })
  }
}
