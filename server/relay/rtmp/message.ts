// An RTMP message, its types, and the chunk streams that carry it.

/** A complete message. */
export interface Message {
  readonly type: number
  /** Message stream; 0 is the connection. */
  readonly streamId: number
  /** Milliseconds, 32 bits; wraps after 49.7 days. */
  readonly timestamp: number
  readonly payload: Buffer
}

/** Message types by number (Adobe RTMP 1.0, sections 5.4 and 7.1). */
export const messageType = {
  setChunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowSize: 5,
  peerBandwidth: 6,
  audio: 8,
  video: 9,
  dataAmf3: 15,
  commandAmf3: 17,
  data: 18,
  command: 20,
} as const

/** Chunk streams that the relay sends on, the same as those of most encoders. */
export const chunkStream = { control: 2, command: 3, audio: 4, data: 5, video: 6 } as const
