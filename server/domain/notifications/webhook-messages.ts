// Messages to the webhooks of a project, written in the transaction of their fact.
import { randomUUID } from 'node:crypto'
import { type Scope, scopesAllow } from '#contract/core/scopes.ts'
import { accessTypesFor } from '#contract/entities/roles.ts'
import { iso, later } from '#server/core/clock.ts'
import { scheduleJobs } from '#server/db/jobs.ts'
import type { Trx } from '#server/db/open.ts'
import { type CreatedKind, kinds } from './kinds.ts'
import { type Hearer, insertMessages, listHearers, webhookKind } from './webhooks-store.ts'

/** A fact for the webhooks of its project. */
export interface WebhookFact {
  readonly kind: CreatedKind
  readonly projectId: number
  /** Identity: a second call with the same writes nothing. */
  readonly fact: string
  readonly params: object
  readonly now: Date
  /** Settling time, milliseconds. */
  readonly inMs: number
}

/** A program hears what its scopes and the role of its user allow. */
function mayHear({ family_id, scopes, access_type: accessType }: Hearer, kind: CreatedKind): boolean {
  if (family_id === null) return true
  const { role, hears } = kinds[kind]
  const isIn = accessTypesFor(role ?? 'owner').some((type) => type === accessType)
  return isIn && scopesAllow((scopes ?? '').split(' ') as Scope[], hears ?? 'project:read')
}

/** Returns the kinds of facts that a webhook receives; null: all. */
export const heardKinds = (hearer: Hearer): readonly CreatedKind[] | null =>
  hearer.family_id === null ? null : (Object.keys(kinds) as CreatedKind[]).filter((kind) => mayHear(hearer, kind))

/** Writes one message for each webhook of the project that is on and may hear the fact. */
export async function queueWebhooks(
  trx: Trx,
  { kind, projectId, fact, params, now, inMs }: WebhookFact,
): Promise<void> {
  const on = (await listHearers(trx, projectId, iso(now))).filter((hearer) => mayHear(hearer, kind))
  if (on.length === 0) return
  const body = JSON.stringify({ type: kind, timestamp: iso(now), data: { project_id: projectId, ...params } })
  const ids = await insertMessages(
    trx,
    on.map(({ id }) => ({
      webhook_id: id,
      message_id: `msg_${randomUUID().replaceAll('-', '')}`,
      kind,
      fact,
      body,
      state: 'waiting',
      date_due: iso(later(now, inMs)),
      date_create: iso(now),
    })),
  )
  await scheduleJobs(
    trx,
    ids.map((id) => ({ ...webhookKind, key: String(id) })),
    { inMs },
  )
}
