// Uplink over RTMP or RTMPS.
import type { RtmpTarget } from '#contract/relay/desired-state.ts'
import { Outlet } from '#server/relay/media/outlet.ts'
import { dial } from './dial.ts'
import { openPublisher, type Publisher } from './publisher.ts'
import type { Uplink, UplinkHandlers, UplinkOptions } from './uplink.ts'

/** Dials, then publishes. */
export function openRtmpUplink(
  target: RtmpTarget,
  { dial: dialing, timing, isPlain }: UplinkOptions,
  handlers: UplinkHandlers,
): Uplink {
  let publisher: Publisher | null = null
  const cancel = dial(
    target,
    { ...dialing, timeoutMs: timing.dialMs },
    {
      onOpen(socket) {
        handlers.onOpen()
        publisher = openPublisher(socket, target, handlers, { readyMs: timing.publishMs, isPlain })
      },
      onFailure: (failure) => handlers.onClose(failure),
    },
  )
  return {
    begin(hub, limit) {
      if (!publisher) throw new Error('The uplink is not open')
      return new Outlet(hub, publisher, limit)
    },
    queued: () => publisher?.queued() ?? 0,
    written: () => publisher?.written() ?? 0,
    acknowledged: () => publisher?.acknowledged() ?? 0,
    answered: () => publisher?.answered() ?? false,
    lacks: (codecs) => publisher?.lacks(codecs) ?? [],
    end() {
      cancel()
      publisher?.end()
    },
    destroy() {
      cancel()
      publisher?.destroy()
    },
  }
}
