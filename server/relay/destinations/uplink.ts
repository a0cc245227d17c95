// Connection of a destination to its server, from the dial to the end; one implementation for each protocol.
import type { DestinationReason } from '#contract/relay/reports.ts'
import type { TransportStreams } from '#server/relay/srt/transport-streams.ts'
import type { Hub } from '#server/relay/media/hub.ts'
import type { OutletCounts } from '#server/relay/media/outlet.ts'
import type { DestinationTiming } from './timing.ts'
import type { DialOptions } from './dial.ts'

/** Output of a hub to an uplink. */
export interface Feed {
  readonly counts: OutletCounts
  /** True while packets are dropped. */
  readonly dropping: boolean
  /** Stops the output; the uplink stays open. */
  close(): void
}

/** Handlers of an uplink. None is called before the function that opens it has returned. */
export interface UplinkHandlers {
  /** The server is reached, and is to accept the stream. */
  onOpen: () => unknown
  /** The server accepts media. */
  onLive: () => unknown
  /**
   * The uplink could not be opened, or was closed by the server or by a failure. Called at most once.
   * @param words description by the server, if any
   * @param redirect address to continue at, if any
   */
  onClose: (reason: DestinationReason, words?: string, redirect?: string) => unknown
}

export interface UplinkOptions {
  readonly dial: Omit<DialOptions, 'timeoutMs'>
  readonly timing: DestinationTiming
  /** Sends like a plain RTMP encoder (decision 0022). */
  readonly isPlain: boolean
  /** MPEG-TS of the hubs. */
  readonly transports: TransportStreams
}

export interface Uplink {
  /** Starts to send a stream, after `onLive`. @param limit queue limit, bytes */
  begin(hub: Hub, limit: () => number): Feed
  /** Bytes in the send queue. */
  queued(): number
  written(): number
  acknowledged(): number
  /** True when the server completed the handshake: later failures may depend on what is sent. */
  answered(): boolean
  /** Returns the codecs that the server may not accept. */
  lacks(codecs: readonly string[]): string[]
  /** Ends the stream, then closes. */
  end(): void
  /** Closes. */
  destroy(): void
}
