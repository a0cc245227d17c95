// Bitrate of the picture by the backlog of the connection.

/** Bits a second. */
export const bitrates = { least: 300_000, most: 2_500_000 } as const
/** Seconds of media in the send queue: above `slow` the bitrate falls, below `fine` it rises, above `full` frames are dropped. */
const backlog = { fine: 0.1, slow: 0.6, full: 1.5 } as const
const factor = { down: 0.7, up: 1.08 } as const

/** Returns the next bitrate. @param seconds media in the send queue */
export function nextBitrate(current: number, seconds: number): number {
  if (seconds > backlog.slow) return Math.max(bitrates.least, Math.round(current * factor.down))
  if (seconds < backlog.fine) return Math.min(bitrates.most, Math.round(current * factor.up))
  return current
}

/** Returns whether frames are dropped. @param seconds media in the send queue */
export const isFull = (seconds: number): boolean => seconds > backlog.full
