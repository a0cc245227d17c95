// Players that fetch a stream, independent of the transport (RTMP or SRT).
import type { Sink } from '#server/relay/media/outlet.ts'

/** Request of a player. The key is a secret. */
export interface PlayRequest {
  readonly key: string
  readonly address: string
  readonly transport: 'rtmp' | 'srt'
}

/** A connected player. */
export interface Viewer {
  /** Bytes written to the network. */
  written(): number
  /** Sends the message, where the transport has one, and closes. */
  end(message: string): void
}

/** An admitted RTMP player. */
export interface Player extends Sink, Viewer {}

/** Output for MPEG-TS. */
export interface TransportSink {
  /** Sends whole packets. */
  send(payload: Buffer): void
  /** Bytes in the send queue. */
  queued(): number
}

/** An admitted SRT player. */
export interface TransportPlayer extends TransportSink, Viewer {}

/** Stream for an admitted player. */
export interface Playback {
  /** Starts to send FLV packets. */
  begin(player: Player): void
  /** Starts to send MPEG-TS. */
  beginTransport(player: TransportPlayer): void
  /** The player disconnected. */
  ended(): void
}
