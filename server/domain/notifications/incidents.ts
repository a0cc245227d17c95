// Incidents: facts that last and end. Each is one notification for each recipient, which changes when the incident ends or returns.
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { updateDeliveriesSkipped, upsertLaneJobs, upsertLanes } from './deliveries-store.ts'
import { type KindParams, kinds, type OperatorKind } from './kinds.ts'
import { type Fact, factOf, notify, retract } from './notify.ts'
import { listProjectIds, lockFact, updateFact, updateFactClosed, updateFactRead } from './store.ts'

/** Kinds whose fact can end. */
type IncidentKind =
  | 'stream_unhealthy'
  | 'broadcast_not_audio'
  | 'channel_not_seen'
  | 'broadcast_connecting_lost'
  | 'broadcast_bitrate_exceeded'

/** Notifies the recipients of an incident. One that returns makes its notification unread again, and sends no further message. */
export async function openIncident<K extends IncidentKind>(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  fact: Fact<K>,
): Promise<void> {
  const [known] = await lockFact(trx, factOf(fact))
  if (known) await change(trx, fact, { ...fact.params, over: false })
  else await notify(services, trx, fact)
}

/** Ends an incident. A notification that is still settling goes; a shown one says that it is over, and counts as read. */
export async function closeIncident<K extends IncidentKind>(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  fact: Pick<Fact<K>, 'kind' | 'projectId' | 'ref'>,
): Promise<void> {
  if (await retract(services, trx, fact)) return
  const [known] = await lockFact(trx, factOf(fact))
  if (!known) return
  const params = JSON.parse(known.params) as KindParams[IncidentKind]
  if (params.over === true) return
  await change(trx, fact, { ...params, over: true })
  await updateFactRead(trx, factOf(fact), iso(services.clock.now()))
}

/**
 * Ends a case of the operators in the transaction of its decision: its notification is read for all of them, says so, and is
 * not sent any more. The same case may be opened again later; then it is a new notification.
 */
export async function closeCase(
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  { kind, ref }: { readonly kind: OperatorKind; readonly ref: string | number },
): Promise<void> {
  const fact = factOf({ kind, projectId: 0, ref })
  const rows = await lockFact(trx, fact)
  const [known] = rows
  if (!known) return
  const params = JSON.stringify({ ...(JSON.parse(known.params) as object), over: true })
  await updateFactClosed(trx, fact, { fact: `${fact}#${known.id}`, params, now: iso(clock.now()) })
  await updateDeliveriesSkipped(
    trx,
    rows.map(({ id }) => id),
  )
  for (const { user_id } of rows) await showUnread(trx, await listProjectIds(trx, user_id))
}

async function change(trx: Trx, fact: Pick<Fact, 'kind' | 'projectId' | 'ref'>, params: KindParams[IncidentKind]) {
  const { kind, projectId } = fact
  await updateFact(trx, factOf(fact), {
    kind,
    category: kinds[kind].category,
    params: JSON.stringify(params),
    isChange: false,
    isUnread: params.over !== true,
  })
  await showUnread(trx, [projectId])
}

/** Has open pages of projects show the number of unread notifications. */
async function showUnread(trx: Trx, projectIds: readonly number[]): Promise<void> {
  const keys = projectIds.map((project_id) => ({ user_id: 0, project_id, channel: 'cabinet' as const }))
  if (keys.length > 0) await upsertLaneJobs(trx, await upsertLanes(trx, keys), 0)
}
