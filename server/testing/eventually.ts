// Asking until it is so.
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Asks one time after the other until there is an answer that is one.
 * @throws after a minute, and whatever asking throws
 */
export async function eventually<T>(ask: () => Promise<T | undefined | null | false>): Promise<T> {
  for (const end = performance.now() + 60_000; performance.now() < end; await wait(10)) {
    const answer = await ask()
    if (answer !== undefined && answer !== null && answer !== false) return answer
  }
  throw new Error(`It did not come to: ${ask.toString()}`)
}
