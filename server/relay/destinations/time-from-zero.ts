// Time as an encoder counts it that has just begun.

const wrap = 2 ** 32

/**
 * Counts from the first packet of a connection, whose time is 0. What is a little before it, as a sound beside the first
 * picture may be, stands there as well. Goes on where 32 bits end, of what comes in and of what comes out.
 * @returns milliseconds, 32 bits, for a time of the stream
 */
export function timeFromZero(): (timestamp: number) => number {
  let before: number | null = null
  let since = 0
  return (timestamp) => {
    // From one packet to the next it is never half of 32 bits: the sign says which way.
    if (before !== null) since += (timestamp - before) | 0
    before = timestamp
    return Math.max(0, since) % wrap
  }
}
