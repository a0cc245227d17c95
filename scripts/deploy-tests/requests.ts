// Requests on connections of their own, by several clients, for scenarios in which none may fail.
import { get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

const everyMs = 10
const clients = 8
const timeoutMs = 60_000

/** Sends requests until `stop`. */
export function beginRequests(url: string) {
  const failures: string[] = []
  let [answered, longestMs, isEnding] = [0, 0, false]
  const once = () =>
    new Promise<void>((resolve, reject) => {
      // Without an agent each request has a new connection.
      const request = get(url, { agent: false, timeout: timeoutMs }, (answer) => {
        answer
          .resume()
          .once('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(`${answer.statusCode}`))))
      })
      request.once('timeout', () => request.destroy(new Error('no answer')))
      request.once('error', reject)
    })
  const client = async () => {
    while (!isEnding) {
      const since = performance.now()
      await once().then(
        () => answered++,
        (error: NodeJS.ErrnoException) => failures.push(error.code ?? error.message),
      )
      longestMs = Math.max(longestMs, performance.now() - since)
      await delay(everyMs)
    }
  }
  const running = Promise.all(Array.from({ length: clients }, client))
  return {
    async stop() {
      isEnding = true
      await running
      return { answered, failures, longestMs }
    },
  }
}
