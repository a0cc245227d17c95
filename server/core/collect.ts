// Collects items into batches: fewer transactions, messages between threads and publications during a flood.

/**
 * Creates a collector. It passes the first item after silence on immediately, and later ones at intervals, in their order.
 * @param everyMs interval between two batches, milliseconds
 * @param pass receives a batch; it must not throw
 * @param onSilence called when an interval had no items
 * @returns adds items; without items it does nothing
 */
export function collector<T>(
  everyMs: number,
  pass: (items: T[]) => void,
  onSilence?: () => void,
): (items: readonly T[]) => void {
  let waiting: T[] = []
  let timer: NodeJS.Timeout | null = null

  function flush(): void {
    if (waiting.length === 0) {
      timer = null
      return onSilence?.()
    }
    const batch = waiting
    waiting = []
    timer = setTimeout(flush, everyMs).unref()
    pass(batch)
  }
  return (items) => {
    for (const item of items) waiting.push(item)
    if (timer === null && waiting.length > 0) flush()
  }
}
