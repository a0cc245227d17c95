// Parts that come by themselves after a page. It stands without them: a file that cannot be had, because the network is away
// for a moment, is tried again, and breaks nothing.
import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { breath } from './breath.ts'

const firstMs = 2_000
const mostMs = 60_000

/** Loads a file until that succeeds: after 2 s, 4 s and so on up to a minute, and at once when the network is back. */
export async function untilLoaded<T>(load: () => Promise<T>): Promise<T> {
  // Several of them are asked for while the page is drawn: not in the midst of that.
  await breath()
  for (let waitMs = firstMs; ; waitMs = Math.min(2 * waitMs, mostMs)) {
    try {
      return await load()
    } catch {
      await untilOnline(waitMs)
    }
  }
}

/** Until the network is back, and no longer than that. */
const untilOnline = (mostWaitMs: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, mostWaitMs)
    addEventListener('online', end)
  })

/** A component that nobody has asked for, and nobody misses until it comes. @param load gives it, as the default export of a file does */
// oxlint-disable-next-line typescript/no-explicit-any -- what props it has is the component's own business
export const lazyPart = <Part extends ComponentType<any>>(
  load: () => Promise<{ readonly default: Part }>,
): LazyExoticComponent<Part> => lazy(() => untilLoaded(load))
