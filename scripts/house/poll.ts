// Waits for an event outside of this process.
import { setTimeout as delay } from 'node:timers/promises'

const everyMs = 100

/** Polls until the probe returns a value other than false or undefined. Errors count as no value. @throws after `seconds` */
export async function poll<T>(
  what: string,
  probe: () => Promise<T | false | undefined> | T | false | undefined,
  seconds = 90,
): Promise<T> {
  const end = performance.now() + seconds * 1000
  let last: unknown
  for (;;) {
    try {
      const value = await probe()
      if (value !== false && value !== undefined) return value
      last = undefined
    } catch (error) {
      last = error
    }
    if (performance.now() > end) throw new Error(`Waited ${seconds} s for ${what}`, { cause: last })
    await delay(everyMs)
  }
}
