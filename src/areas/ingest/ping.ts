// How far away a server is from this browser: the time there and back of a small request, since a page cannot ping.

/** How long an answer may take until it counts as none, milliseconds. */
const patienceMs = 4000
const rounds = 3

/**
 * Measures. The first request opens the connection and is not counted; of the others the quickest is, because everything
 * that a machine does beside it only adds.
 * @param host with its port, as the server reports it; asked by the scheme of this page, others are blocked
 * @returns milliseconds
 * @throws when nothing answers, or the browser does not let the page ask
 */
export async function ping(host: string, signal: AbortSignal): Promise<number> {
  const times: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now()
    // Whatever it answers, it has answered: what is in it is none of our business.
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
