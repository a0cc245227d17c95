// Uplink over SRT: MPEG-TS by the one ffmpeg of the hub.
import type { SrtTarget } from '#contract/relay/desired-state.ts'
import type { DestinationReason } from '#contract/relay/reports.ts'
import { resolveHost } from '#server/domain/channels/destinations.ts'
import { callSrt, type SrtCall, type SrtCallEnd, type SrtListenerAddress } from '#server/relay/srt/caller.ts'
import type { SrtConnection } from '#server/relay/srt/connection.ts'
import { createKeys } from '#server/relay/srt/encryption.ts'
import { failureOf } from './dial.ts'
import type { Uplink, UplinkHandlers, UplinkOptions } from './uplink.ts'

/** Codecs of MPEG-TS as ffmpeg writes it from the stream. */
const carried: ReadonlySet<string> = new Set(['', 'avc1', 'hvc1', 'aac', 'mp4a', 'mp3', '.mp3', 'ac-3', 'ec-3', 'Opus'])

/**
 * Codes of listeners that only a person can resolve: a wrong passphrase (1010), encryption on one side only (1011), and the refusals
 * of a stream id (1401, 1403, 1404).
 */
const finalCodes: ReadonlySet<number> = new Set([1010, 1011, 1401, 1403, 1404])

/** Resolves the name, then calls the listener. */
export function openSrtUplink(target: SrtTarget, options: UplinkOptions, handlers: UplinkHandlers): Uplink {
  let call: SrtCall | null = null
  let connection: SrtConnection | null = null
  let isOver = false
  const fail = (reason: DestinationReason, words?: string) => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    handlers.onClose(reason, words)
  }
  const timer = setTimeout(() => fail('timeout'), options.timing.dialMs)
  const dial = async () => {
    if (!(await options.transports.ffmpeg)) return fail('ffmpeg')
    const listener = await locate(target, options.dial)
    if (isOver) return
    clearTimeout(timer)
    call = callSrt(listener, {
      onOpen(opened) {
        connection = opened
        handlers.onOpen()
        handlers.onLive()
      },
      onEnd: (end) => fail(...failureOfCall(end)),
    })
  }
  dial().catch((error: NodeJS.ErrnoException) => fail(failureOf(error)))
  return {
    begin(hub, _limit) {
      const sink = { send: (piece: Buffer) => connection?.send(piece), queued: () => connection?.queued() ?? 0 }
      return options.transports.add(hub, sink)
    },
    queued: () => connection?.queued() ?? 0,
    written: () => connection?.written() ?? 0,
    acknowledged: () => connection?.acknowledged() ?? 0,
    answered: () => connection !== null,
    lacks: (codecs) => codecs.filter((codec) => !carried.has(codec)),
    end() {
      isOver = true
      clearTimeout(timer)
      call?.finish()
    },
    destroy() {
      isOver = true
      clearTimeout(timer)
      call?.close()
    },
  }
}

/** Resolves the name of a target, and generates the key of the connection. @throws the error of DNS, ForbiddenHostError */
async function locate(
  { host, port, streamId, passphrase, keyBytes, latencyMs }: SrtTarget,
  dial: UplinkOptions['dial'],
): Promise<SrtListenerAddress> {
  const address = await resolveHost(host, dial)
  const secret = passphrase === '' ? null : await createKeys(passphrase, keyBytes)
  return { address, port, streamId, latencyMs, secret }
}

/** Returns the reason of an end, and the words of the listener: its code. */
function failureOfCall(end: SrtCallEnd): [reason: DestinationReason, words?: string] {
  switch (end.how) {
    case 'refused':
      return [finalCodes.has(end.code) ? 'publish-rejected' : 'refused', `SRT ${end.code}`]
    case 'network':
      return [failureOf(end.error)]
    case 'foreign':
      return ['protocol']
    case 'silent':
      return ['timeout']
    case 'unpublish':
      return ['ended']
    case 'closed':
      return ['closed']
    case 'timeout':
      return ['stalled']
  }
}
