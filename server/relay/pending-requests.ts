// Pending requests of a node to the service: numbered, with a timeout.
import { setTimeout as wait } from 'node:timers/promises'

/** Requests of one kind. All kinds share the numbers, so a response matches one request at most. */
export interface PendingRequests<Response> {
  /**
   * Sends a request and waits for its response, 5 s at most.
   * @param send sends the message under this number
   * @param patienceMs wait for a connection, milliseconds; default: 0
   * @returns null on timeout or without a connection
   */
  request(send: (request: number) => void, patienceMs?: number): Promise<Response | null>
  /** Settles a request. Ignores unknown numbers. */
  settle(request: number, response: Response): void
}

const timeoutMs = 5_000
const pollMs = 100
let requests = 0

/** @param isOpen returns true when the connection to the service is open */
export function pendingRequests<Response>(isOpen: () => boolean): PendingRequests<Response> {
  const pending = new Map<number, (response: Response) => void>()
  return {
    async request(send, patienceMs = 0) {
      for (const end = Date.now() + patienceMs; !isOpen(); await wait(pollMs)) if (Date.now() >= end) return null
      const request = ++requests
      return new Promise((resolve) => {
        const settle = (response: Response | null) => {
          clearTimeout(timer)
          pending.delete(request)
          resolve(response)
        }
        const timer = setTimeout(() => settle(null), timeoutMs)
        pending.set(request, settle)
        send(request)
      })
    },
    settle: (request, response) => pending.get(request)?.(response),
  }
}
