// Incidents: facts that last and end. Each is one notification for each recipient, which changes when the incident ends or returns.
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { upsertLaneJobs, upsertLanes } from './deliveries-store.ts'
import { type KindParams, kinds } from './kinds.ts'
import { type Fact, factOf, notify, retract } from './notify.ts'
import { lockFact, updateFact, updateFactRead } from './store.ts'

/** Kinds whose fact can end. */
type IncidentKind = 'stream_unhealthy' | 'broadcast_not_audio' | 'channel_not_seen'

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

async function change(trx: Trx, fact: Pick<Fact, 'kind' | 'projectId' | 'ref'>, params: KindParams[IncidentKind]) {
  const { kind, projectId } = fact
  await updateFact(trx, factOf(fact), {
    kind,
    category: kinds[kind].category,
    params: JSON.stringify(params),
    isChange: false,
    isUnread: params.over !== true,
  })
  // Open pages show the number of unread notifications.
  await upsertLaneJobs(trx, await upsertLanes(trx, [{ user_id: 0, project_id: projectId, channel: 'cabinet' }]), 0)
}
