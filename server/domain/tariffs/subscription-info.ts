// Running subscriptions of a project, as project info embeds them (contract `ProjectInfo`).
import type { Language } from '#contract/core/wire.ts'
import type { LineName } from '#contract/entities/plan.ts'
import type { Clock } from '#server/core/clock.ts'
import type { Settings } from '#server/core/settings.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { presentPlan } from './catalog.ts'
import { findRenewal, findLastPeriod } from './subscriptions-store.ts'
import { getPeriodTerms, getPricedPlan } from './store.ts'
import { readState } from './subscriptions.ts'
import type { Sold, Term } from './subscriptions-slots.ts'

interface Source {
  readonly db: Db | Trx
  readonly clock: Clock
  readonly config: Pick<Settings, 'recordLimitGb'>
  readonly language: Language
}

/** Returns the running restream subscription. */
export async function currentSubscription({ db, clock, config, language }: Source, projectId: number) {
  const { current } = (await readState(db, clock, projectId, 'restream')).slots
  const { money_flow_uuid, ...facts } = await subscriptionFacts(db, projectId, 'restream', current)
  return {
    plan2user: {
      plan_restream2user_id: current.id ?? 0,
      plan_restream_id: current.planId,
      ...facts,
      money_flow_uuid,
    },
    data: presentPlan(await getPricedPlan(db, current.planId), await getPeriodTerms(db, 'restream'), config, language),
  }
}

/** Returns the fields of a subscription that all lines share. */
export async function subscriptionFacts(db: Db | Trx, projectId: number, line: LineName, term: Term<Sold>) {
  const last = term.id === null ? undefined : await findLastPeriod(db, term.id)
  return {
    date_end: term.end,
    date_start: term.start,
    date_create: last?.bought ?? term.start,
    period: last?.period ?? null,
    money_flow_uuid: last?.moneyFlowUuid ?? '',
    period_uuid: last?.uuid ?? '',
    status: 'active',
    prolongation: term.id !== null && (await findRenewal(db, projectId, line)) ? (1 as const) : (0 as const),
  }
}
