// Timestamps of a plain encoder, which start at 0 with each connection.

const wrap = 2 ** 32

/**
 * Counts from the first packet of a connection, whose time is 0. A packet slightly before it, such as audio beside the first
 * video frame, gets 0 too. Handles the wrap of 32 bits of both input and output.
 * @returns converts a time of the stream to milliseconds, 32 bits
 */
export function timeFromZero(): (timestamp: number) => number {
  let before: number | null = null
  let since = 0
  return (timestamp) => {
    // Consecutive packets are less than half of 32 bits apart, so the sign gives the direction.
    if (before !== null) since += (timestamp - before) | 0
    before = timestamp
    return Math.max(0, since) % wrap
  }
}
