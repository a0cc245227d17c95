// Refusals of encoders and players.

/**
 * Reject codes of SRT (draft-sharabayko-srt table 7, and the access control guideline of libsrt). RTMP sends a message instead,
 * so refusals carry both.
 */
export const refusal = {
  /** Reason not disclosed. */
  unknown: 0,
  peer: 2,
  /** Too many connections. */
  resource: 3,
  /** Invalid handshake. */
  rogue: 4,
  version: 8,
  /** Wrong passphrase. */
  badSecret: 10,
  /** One end requires encryption and the other does not encrypt. */
  unsecure: 11,
  /** Not live mode. */
  congestion: 13,
  badRequest: 1400,
  /** Unknown key. */
  unauthorized: 1401,
  overload: 1402,
  forbidden: 1403,
  /** The project is off air. */
  notFound: 1404,
  badMode: 1405,
  /** The bitrate exceeds the limit of the tariff. */
  unacceptable: 1406,
  /** Another encoder publishes. */
  conflict: 1409,
  /** ffmpeg is missing. */
  unimplemented: 1501,
  /** The service is unreachable; the caller should retry. */
  down: 1503,
} as const
export type Refusal = (typeof refusal)[keyof typeof refusal]

/** An encoder or a player that is not admitted. */
export interface Refused {
  /** Message for the user. */
  readonly refuse: string
  /** Code for transports without messages. */
  readonly code?: Refusal
}
