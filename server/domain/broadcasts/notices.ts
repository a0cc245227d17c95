// Facts of a broadcast that members are notified of, in the transaction that records them.
import { type InputFault, inputFaults } from '#contract/entities/on-air.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { notifyChannel } from '#server/domain/notifications/channel-facts.ts'
import { notify, retract } from '#server/domain/notifications/notify.ts'
import { closeIncident, openIncident } from '#server/domain/notifications/incidents.ts'
import { updateScreensClosed } from '#server/domain/notifications/store.ts'
import { listEventsOfKinds } from './events-store.ts'
import type { DestinationFacts } from './live-facts.ts'
import type { BroadcastRow } from './store.ts'

type NoticeServices = Pick<Services, 'clock'>
type OnAir = Pick<BroadcastRow, 'id' | 'project_id' | 'reconnects'>

/** A broadcast began. */
export async function noticeBegan(services: NoticeServices, trx: Trx, projectId: number, id: number): Promise<void> {
  await notify(services, trx, { kind: 'broadcast_started', projectId, ref: id, params: { broadcast_id: id } })
}

/** Returns the faults of the incoming stream that began and are not over. */
async function listOpenFaults(trx: Trx, id: number): Promise<readonly InputFault[]> {
  const rows = await listEventsOfKinds(trx, id, ['fault', 'fault-over'])
  const last = new Map(rows.map(({ kind, reason }) => [reason, kind]))
  return inputFaults.filter((fault) => last.get(fault) === 'fault')
}

/** A broadcast ended. The loss of the encoder that led to it is no news. */
export async function noticeEnded(services: NoticeServices, trx: Trx, onAir: OnAir): Promise<void> {
  const { id, project_id: projectId } = onAir
  await retract(services, trx, lossOf(onAir))
  for (const kind of await listOpenFaults(trx, id)) await noticeFault(services, trx, onAir, { kind, isOn: false })
  await updateScreensClosed(trx, projectId, {
    kinds: ['broadcast_bitrate_exceeded_screen', 'broadcast_unsupported_codec_screen'],
  })
  await notify(services, trx, { kind: 'broadcast_stopped', projectId, ref: id, params: { broadcast_id: id } })
}

/** The encoder was lost. One that stopped the stream itself is no news. */
export async function noticeLost(services: NoticeServices, trx: Trx, onAir: OnAir, how: string): Promise<void> {
  // A backup encoder has the air already.
  if (how === 'unpublish' || how === 'poor') return
  await notify(services, trx, { ...lossOf(onAir), params: { broadcast_id: onAir.id } })
}

/** The encoder is back. */
export const noticeBack = (services: NoticeServices, trx: Trx, onAir: OnAir): Promise<void> =>
  closeIncident(services, trx, lossOf(onAir))

/** Each loss of the encoder is a fact of its own. */
const lossOf = ({ id, project_id: projectId, reconnects }: OnAir) =>
  ({ kind: 'broadcast_connecting_lost', projectId, ref: `${id}.${reconnects}` }) as const

/** The incoming bitrate exceeds the plan; once a broadcast. @param words incoming and allowed bitrate */
export async function noticeBitrate(services: NoticeServices, trx: Trx, onAir: OnAir, words: string): Promise<void> {
  const { id: ref, project_id: projectId } = onAir
  const params = { broadcast_id: ref, words }
  await openIncident(services, trx, { kind: 'broadcast_bitrate_exceeded', projectId, ref, params })
  await notify(services, trx, { kind: 'broadcast_bitrate_exceeded_screen', projectId, ref, params })
}

/** The bitrate fits again. */
export async function noticeBitrateFine(services: NoticeServices, trx: Trx, onAir: OnAir): Promise<void> {
  const { id: ref, project_id: projectId } = onAir
  await closeIncident(services, trx, { kind: 'broadcast_bitrate_exceeded', projectId, ref })
  await updateScreensClosed(trx, projectId, { kinds: ['broadcast_bitrate_exceeded_screen'] })
}

/** A platform does not support a codec of the stream; once a broadcast and channel. */
export async function noticeCodec(
  services: NoticeServices,
  trx: Trx,
  onAir: OnAir,
  { channelId, channel, codec }: { readonly channelId: number; readonly channel: string; readonly codec: string },
): Promise<void> {
  const of = { projectId: onAir.project_id, ref: `${onAir.id}.${channelId}` }
  const params = { broadcast_id: onAir.id, codec, channel }
  await notify(services, trx, { kind: 'broadcast_unsupported_codec', ...of, params })
  await notify(services, trx, { kind: 'broadcast_unsupported_codec_screen', ...of, params })
}

const failing: ReadonlySet<string> = new Set(['backoff', 'rejected'])

/** A channel failed, or is live. Other states are no news. */
export async function noticeChannel(
  services: NoticeServices,
  trx: Trx,
  onAir: OnAir,
  facts: Pick<DestinationFacts, 'id' | 'state' | 'reason'> & { readonly name: string },
): Promise<void> {
  const { id, name, state, reason } = facts
  if (state !== 'live' && !failing.has(state)) return
  await notifyChannel(services, trx, {
    projectId: onAir.project_id,
    broadcastId: onAir.id,
    channel: { id, name, reason, failed: state !== 'live' },
  })
}

/** A fault of the incoming stream began, or is over. */
export async function noticeFault(
  services: NoticeServices,
  trx: Trx,
  { id, project_id: projectId }: OnAir,
  { kind, isOn }: { readonly kind: InputFault; readonly isOn: boolean },
): Promise<void> {
  const fact = {
    kind: kind === 'no_audio' ? 'broadcast_not_audio' : 'stream_unhealthy',
    projectId,
    ref: `${id}.${kind}`,
    params: { broadcast_id: id, fault: kind },
  } as const
  await (isOn ? openIncident(services, trx, fact) : closeIncident(services, trx, fact))
}
