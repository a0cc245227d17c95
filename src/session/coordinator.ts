// Coordination with other tabs and browser signals: a channel, an optional lock, and wake signals.
import type { Clock, Coordinator, Lock, TabMessage } from './types.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimeout: (run, ms) => globalThis.setTimeout(run, ms),
  clearTimeout: (timer) => globalThis.clearTimeout(timer as number),
}

export const sleep = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.setTimeout(resolve, ms))

/** Waits for `work`, at most `ms`. Resolves to true when it is done; rejects when it fails in time. */
export async function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: unknown
  const limit = new Promise<boolean>((resolve) => {
    timer = clock.setTimeout(() => resolve(false), ms)
  })
  try {
    return await Promise.race([work.then(() => true), limit])
  } finally {
    clock.clearTimeout(timer)
  }
}

type Listen = (type: 'pagehide' | 'pageshow', handle: () => void) => () => void

/**
 * Runs `work` under a Web Lock when it is granted within `waitMs`, else without. A page that leaves the screen gives the
 * lock back: in the back-forward cache it would keep the other tabs waiting.
 */
export function exclusive(
  clock: Clock,
  name: string,
  waitMs: number,
  work: (lock: Lock) => Promise<void>,
  listen: Listen = () => () => {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const lock = { held: false }
    let hasBegun = false
    let isHidden = false
    let controller = new AbortController()
    let release = () => {}
    const begin = () => {
      if (hasBegun) return
      hasBegun = true
      clock.clearTimeout(timer)
      work(lock)
        .finally(() => {
          release()
          for (const stop of stops) stop()
        })
        .then(resolve, reject)
    }
    const request = () => {
      controller = new AbortController()
      const granted = () => {
        // Granted too late, or to a page that has left the screen: returned immediately.
        if (hasBegun || isHidden) return undefined
        lock.held = true
        const released = new Promise<void>((done) => (release = done))
        begin()
        return released
      }
      // Undefined on insecure origins.
      Promise.resolve(navigator.locks.request(name, { signal: controller.signal }, granted)).catch(() => {
        if (!isHidden) begin()
      })
    }
    // Also ends the wait for a lock manager that ignores the signal.
    const timer = clock.setTimeout(() => {
      begin()
      controller.abort()
    }, waitMs)
    const stops = [
      listen('pagehide', () => {
        isHidden = true
        lock.held = false
        release()
        controller.abort()
      }),
      listen('pageshow', () => {
        if (!isHidden) return
        isHidden = false
        if (!hasBegun) request()
      }),
    ]
    try {
      request()
    } catch {
      begin()
    }
  })
}

/** Messages between tabs of the same origin that use the same server. */
export function createCoordinator(scope: string, clock: Clock): Coordinator {
  const ping = `${scope}:ping`
  const off: (() => void)[] = []
  let channel: BroadcastChannel | undefined
  const listen = (target: EventTarget, type: string, handle: (event: never) => void) => {
    target.addEventListener(type, handle as EventListener)
    return () => target.removeEventListener(type, handle as EventListener)
  }
  return {
    open({ message, wake, hide }) {
      const on = (...args: Parameters<typeof listen>) => void off.push(listen(...args))
      try {
        channel = new BroadcastChannel(scope)
        channel.onmessage = ({ data }: MessageEvent<TabMessage>) => message(data)
      } catch {
        // The storage event below does the same, later.
      }
      // Also reports writes of a ledger in localStorage, and a cleared storage (null).
      on(window, 'storage', ({ key }: StorageEvent) => {
        if (!key || key.startsWith(scope)) message(null)
      })
      on(window, 'online', () => wake('online'))
      on(window, 'pageshow', ({ persisted }: PageTransitionEvent) => {
        if (persisted) wake('pageshow')
      })
      on(window, 'pagehide', hide)
      on(document, 'visibilitychange', () => {
        if (document.visibilityState === 'visible') wake('visible')
      })
    },
    post(message) {
      try {
        if (channel) channel.postMessage(message)
        else localStorage.setItem(ping, `${message.sessionId}:${message.generation}:${clock.now()}`)
      } catch {
        // The other tabs detect it at their next read of the ledger.
      }
    },
    exclusive: (name, waitMs, work) =>
      exclusive(clock, `${scope}:${name}`, waitMs, work, (type, handle) => listen(window, type, handle)),
    isVisible: () => document.visibilityState !== 'hidden',
    isOnline: () => navigator.onLine,
    close() {
      channel?.close()
      for (const stop of off.splice(0)) stop()
    },
  }
}
