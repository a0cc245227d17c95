// Revokes ended sessions on the server: the ledger keeps their refresh tokens until the server has answered.
import { doubledMs } from '#contract/core/backoff.ts'
import type { Holder } from './holder.ts'
import { logoutPath, post, type Wire } from './refresh-call.ts'
import type { Coordinator, TokenStore } from './types.ts'
import { isBusy } from './wire.ts'

export interface RevokerDeps {
  readonly wire: Wire
  readonly tabs: Coordinator
  readonly store: TokenStore
  readonly holder: Holder
}

/** Sends revocations, again after a failure, and removes answered ones from the ledger. */
export function createRevoker({ wire, tabs, store, holder }: RevokerDeps) {
  const { config, clock, timing } = wire
  /** Sessions that ended in this tab: the stored token, and the newest one. */
  const own = new Map<string, string>()
  let queue = Promise.resolve()
  let timer: unknown
  let failures = 0

  /** Sends one revocation. @returns false without a final answer of the server */
  async function isAnswered(refresh: string): Promise<boolean> {
    const limit = new AbortController()
    const late = clock.setTimeout(() => limit.abort(), timing.timeoutMs)
    try {
      const body = { app: config.app, refresh }
      const { status } = await post(wire, logoutPath, body, { keepalive: true, signal: limit.signal })
      return !isBusy(status)
    } catch {
      return false
    } finally {
      clock.clearTimeout(late)
    }
  }

  async function send(tokens: Iterable<string>): Promise<void> {
    for (const token of tokens) {
      if (!(await isAnswered(own.get(token) ?? token))) return again()
      own.delete(token)
      await store.compareAndSet((record) =>
        record?.revoke?.includes(token)
          ? { ...record, revoke: record.revoke.filter((other) => other !== token) }
          : undefined,
      )
    }
    failures = 0
  }

  function again(): void {
    clock.clearTimeout(timer)
    if (!holder.isDisposed) timer = clock.setTimeout(self.resume, doubledMs(timing.backoff, ++failures))
  }

  /** One after the other: no token is sent twice at the same time. */
  const enqueue = (work: () => Promise<void>) => {
    queue = queue.then(work).catch(again)
  }

  const self = {
    /** Revokes a session of this tab. @param stored token in the ledger @param newest the last one that the server issued */
    revoke(stored: string, newest: string): void {
      own.set(stored, newest)
      enqueue(() => send([stored]))
    },

    /** Sends what the server has not answered, in one tab. */
    resume(): void {
      if (own.size === 0 && !holder.revoke) return
      enqueue(() =>
        tabs.exclusive('revoke', timing.lockWaitMs, async () => {
          const record = await store.read().catch(() => null)
          await send(new Set([...own.keys(), ...(record?.revoke ?? [])]))
        }),
      )
    },

    stop: () => clock.clearTimeout(timer),
  }
  return self
}
