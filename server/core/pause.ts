/** Waits, or returns early when the signal aborts. The wait does not keep the process alive. @param ms milliseconds */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || ms <= 0) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms).unref()
    signal.addEventListener('abort', done)
  })
}
