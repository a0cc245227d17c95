// Repetition of a task.

/**
 * Runs a task at intervals, never twice at a time: a tick during a turn is skipped. A failed turn does not end later ones.
 * @param everyMs time between ticks, milliseconds; the first turn is at the first tick
 * @param onError receives the error of a failed turn
 * @returns a function that stops it and waits for the running turn
 */
export function repeat(
  everyMs: number,
  task: () => Promise<void>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> | null = null
  const turn = async () => {
    try {
      await task()
    } catch (error) {
      onError(error)
    }
  }
  const timer = setInterval(() => {
    running ??= turn().finally(() => (running = null))
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
