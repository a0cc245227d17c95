// What a node asks the service: numbered, and given up after a while.
import { setTimeout as wait } from 'node:timers/promises'

/** Questions of one kind. Numbers are the same for all kinds, so that an answer belongs to one question at most. */
export interface Questions<Answer> {
  /**
   * @param send asks under this number
   * @param patienceMs how long to wait for somebody to be there, milliseconds; left out: not at all
   * @returns null when nobody answers in time, or nobody is there
   */
  ask(send: (request: number) => void, patienceMs?: number): Promise<Answer | null>
  answer(request: number, answer: Answer): void
}

const waitMs = 5_000
const lookMs = 100
let requests = 0

/** @param isOpen whether somebody is there to be asked */
export function questions<Answer>(isOpen: () => boolean): Questions<Answer> {
  const asked = new Map<number, (answer: Answer) => void>()
  return {
    async ask(send, patienceMs = 0) {
      for (const end = Date.now() + patienceMs; !isOpen(); await wait(lookMs)) if (Date.now() >= end) return null
      const request = ++requests
      return new Promise((resolve) => {
        const settle = (answer: Answer | null) => {
          clearTimeout(timer)
          asked.delete(request)
          resolve(answer)
        }
        const timer = setTimeout(() => settle(null), waitMs)
        asked.set(request, settle)
        send(request)
      })
    },
    answer: (request, answer) => asked.get(request)?.(answer),
  }
}
