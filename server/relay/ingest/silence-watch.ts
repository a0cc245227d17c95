// Silence watch of an admitted encoder: an open connection without media is a loss, like a closed one.

/** Shortest silence that counts as a loss, milliseconds. */
export const silentMs = 1_000

/** A silence is noticed so much later at most: what is shown instead begins within 1.5 s of the last media, also on a busy machine. */
const tickMs = 100
/** Ticks until the first media: encoders fill their lookahead, and SRT its analysis, before they send a frame. */
const firstTicks = 10_000 / tickMs

export interface SilenceWatch {
  /** The encoder sent audio or video. */
  receive(): void
  close(): void
}

/**
 * Watches an encoder until it is closed. Counts ticks instead of comparing clocks: after a blocked event loop one tick fires
 * before the sockets are read, and a changed wall clock adds none.
 * @param ms silence that counts as a loss, milliseconds; applies after the first media
 * @param onSilent called once per silence
 */
export function watchSilence(ms: number, onSilent: () => void): SilenceWatch {
  const ticksMax = Math.max(1, Math.ceil(ms / tickMs))
  let [hasMedia, hasFrame, ticks] = [false, false, 0]
  const timer = setInterval(() => {
    ticks = hasFrame ? 0 : ticks + 1
    hasFrame = false
    if (ticks === (hasMedia ? ticksMax : firstTicks)) onSilent()
  }, tickMs)
  return {
    receive() {
      hasFrame = true
      hasMedia = true
    },
    close: () => clearInterval(timer),
  }
}
