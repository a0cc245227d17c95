// Facts of a broadcast that members are notified of, in the transaction that records them.
import type { StoredSample } from '#contract/relay/events.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { notifyChannel } from '#server/domain/notifications/channel-facts.ts'
import { notify, retract } from '#server/domain/notifications/notify.ts'
import { updateScreensClosed } from '#server/domain/notifications/store.ts'
import type { DestinationFacts } from './live-facts.ts'
import type { BroadcastRow } from './store.ts'

type NoticeServices = Pick<Services, 'clock'>
type OnAir = Pick<BroadcastRow, 'id' | 'project_id' | 'reconnects'>

/** A broadcast began. */
export async function noticeBegan(services: NoticeServices, trx: Trx, projectId: number, id: number): Promise<void> {
  await notify(services, trx, { kind: 'broadcast_started', projectId, ref: id, params: { broadcast_id: id } })
}

/** A broadcast ended. The loss of the encoder that led to it is no news. */
export async function noticeEnded(services: NoticeServices, trx: Trx, onAir: OnAir): Promise<void> {
  const { id, project_id: projectId } = onAir
  await retract(services, trx, lossOf(onAir))
  await updateScreensClosed(trx, projectId, {
    kinds: ['broadcast_bitrate_exceeded_screen', 'broadcast_unsupported_codec_screen'],
  })
  await notify(services, trx, { kind: 'broadcast_stopped', projectId, ref: id, params: { broadcast_id: id } })
}

/** The encoder was lost. One that stopped the stream itself is no news. */
export async function noticeLost(services: NoticeServices, trx: Trx, onAir: OnAir, how: string): Promise<void> {
  if (how === 'unpublish') return
  await notify(services, trx, { ...lossOf(onAir), params: { broadcast_id: onAir.id } })
}

/** The encoder is back. */
export const noticeBack = (services: NoticeServices, trx: Trx, onAir: OnAir): Promise<boolean> =>
  retract(services, trx, lossOf(onAir))

/** Each loss of the encoder is a fact of its own. */
const lossOf = ({ id, project_id: projectId, reconnects }: OnAir) =>
  ({ kind: 'broadcast_connecting_lost', projectId, ref: `${id}.${reconnects}` }) as const

/** The incoming bitrate exceeds the plan; once a broadcast. @param words incoming and allowed bitrate */
export async function noticeBitrate(services: NoticeServices, trx: Trx, onAir: OnAir, words: string): Promise<void> {
  const { id: ref, project_id: projectId } = onAir
  const params = { broadcast_id: ref, words }
  await notify(services, trx, { kind: 'broadcast_bitrate_exceeded', projectId, ref, params })
  await notify(services, trx, { kind: 'broadcast_bitrate_exceeded_screen', projectId, ref, params })
}

/** The bitrate fits again. */
export async function noticeBitrateFine(services: NoticeServices, trx: Trx, onAir: OnAir): Promise<void> {
  const { id: ref, project_id: projectId } = onAir
  await retract(services, trx, { kind: 'broadcast_bitrate_exceeded', projectId, ref })
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

/** Health of the incoming stream: it has sound, and frames arrive. Only changes are looked at. */
export async function noticeSample(
  services: NoticeServices,
  trx: Trx,
  onAir: OnAir,
  { before, now }: { readonly before: StoredSample | null; readonly now: Pick<StoredSample, 'ingest'> },
): Promise<void> {
  const { id: ref, project_id: projectId } = onAir
  for (const [kind, isBad] of Object.entries(checks)) {
    const [was, is] = [before !== null && isBad(before.ingest), isBad(now.ingest)]
    if (was === is) continue
    const fact = { kind: kind as keyof typeof checks, projectId, ref }
    if (is) await notify(services, trx, { ...fact, params: { broadcast_id: ref } })
    else await retract(services, trx, fact)
  }
}

/** Describes which checks of an incoming stream fail; equal texts need no notice. */
export const healthOf = (ingest: StoredSample['ingest']): string =>
  Object.entries(checks)
    .filter(([, isBad]) => isBad(ingest))
    .map(([kind]) => kind)
    .join(' ')

const checks = {
  broadcast_not_audio: ({ audioCodec, videoCodec }: StoredSample['ingest']) => audioCodec === '' && videoCodec !== '',
  stream_unhealthy: ({ fps, videoCodec }: StoredSample['ingest']) => fps === 0 && videoCodec !== '',
} as const
