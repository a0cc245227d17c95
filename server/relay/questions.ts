// What a node asks the service: numbered, and given up after a while.

/** Questions of one kind. Numbers are the same for all kinds, so that an answer belongs to one question at most. */
export interface Questions<Answer> {
  /** @param send asks under this number @returns null when nobody answers in time, or nobody is there */
  ask(send: (request: number) => void): Promise<Answer | null>
  answer(request: number, answer: Answer): void
}

const waitMs = 5_000
let requests = 0

/** @param isOpen whether somebody is there to be asked */
export function questions<Answer>(isOpen: () => boolean): Questions<Answer> {
  const asked = new Map<number, (answer: Answer) => void>()
  return {
    ask(send) {
      if (!isOpen()) return Promise.resolve(null)
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
