// Latency from this browser to a server, measured with HTTP requests because a page cannot send ICMP.

/** Request timeout, milliseconds. */
const patienceMs = 4000
const rounds = 3

/**
 * Measures the latency. The first request opens the connection and is not counted; the fastest of the others counts,
 * because other load on either machine only adds time.
 * @param host with its port, as the server reports it; requested with the scheme of this page, as browsers block others
 * @returns milliseconds
 * @throws when the host does not respond, or the browser blocks the request
 */
export async function ping(host: string, signal: AbortSignal): Promise<number> {
  const times: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now()
    // Any response counts; its content is opaque and not read.
    await fetch(`${location.protocol}//${host}/healthz`, {
      mode: 'no-cors',
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    })
    if (round > 0) times.push(performance.now() - start)
  }
  return Math.max(1, Math.round(Math.min(...times)))
}
