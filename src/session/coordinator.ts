// The other tabs and the browser's signals: a channel, a lock that only makes things faster, and what wakes a tab up.
import type { Clock, Coordinator, TabMessage } from './types.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, ms) => globalThis.setTimeout(run, ms),
  clearTimeout: (timer) => globalThis.clearTimeout(timer as number),
}

export const sleep = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.setTimeout(resolve, ms))

/** Runs `work` under a Web Lock when it is granted in time, else without. A holder that hangs blocks nobody for longer. */
export async function exclusive(
  clock: Clock,
  name: string,
  waitMs: number,
  work: (locked: boolean) => Promise<void>,
): Promise<void> {
  let started = false
  const controller = new AbortController()
  const timer = clock.setTimeout(() => controller.abort(), waitMs)
  try {
    // Undefined on insecure origins: the catch below goes on without.
    await navigator.locks.request(name, { signal: controller.signal }, () => {
      clock.clearTimeout(timer)
      started = true
      return work(true)
    })
  } catch (error) {
    if (started) throw error
    clock.clearTimeout(timer)
    await work(false)
  }
}

/** Talks to the tabs of the same origin that use the same server. */
export function createCoordinator(scope: string, clock: Clock): Coordinator {
  const ping = `${scope}:ping`
  const off: (() => void)[] = []
  let channel: BroadcastChannel | undefined
  const on = (target: EventTarget | undefined, type: string, handle: (event: never) => void) => {
    target?.addEventListener(type, handle as EventListener)
    off.push(() => target?.removeEventListener(type, handle as EventListener))
  }
  return {
    open({ message, wake, hide }) {
      const page = globalThis.document as Document | undefined
      const frame = globalThis.window as Window | undefined
      try {
        channel = new BroadcastChannel(scope)
        channel.onmessage = ({ data }: MessageEvent<TabMessage>) => message(data)
      } catch {
        // The storage event below does the same, later.
      }
      // Also hears of writes of the ledger itself when it lives in localStorage, and of a cleared storage (null).
      on(frame, 'storage', ({ key }: StorageEvent) => {
        if (!key || key.startsWith(scope)) message(null)
      })
      on(frame, 'online', () => wake('online'))
      on(frame, 'pageshow', ({ persisted }: PageTransitionEvent) => {
        if (persisted) wake('pageshow')
      })
      on(frame, 'pagehide', hide)
      on(page, 'visibilitychange', () => {
        if (page?.visibilityState === 'visible') wake('visible')
      })
    },
    post(message) {
      try {
        if (channel) channel.postMessage(message)
        else localStorage.setItem(ping, `${message.sessionId}:${message.generation}:${clock.now()}`)
      } catch {
        // The others find out when they next look into the ledger.
      }
    },
    exclusive: (name, waitMs, work) => exclusive(clock, `${scope}:${name}`, waitMs, work),
    isVisible: () => globalThis.document?.visibilityState !== 'hidden',
    isOnline: () => globalThis.navigator?.onLine !== false,
    close() {
      channel?.close()
      for (const stop of off.splice(0)) stop()
    },
  }
}
