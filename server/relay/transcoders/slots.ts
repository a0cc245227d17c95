// Limit of concurrent transcoders on a node.

export interface Slots {
  /** @returns what gives the slot back; null when all are taken */
  take(): (() => void) | null
}

export function slots(count: number): Slots {
  let free = count
  return {
    take() {
      if (free === 0) return null
      free--
      let given = false
      return () => {
        if (given) return
        given = true
        free++
      }
    },
  }
}
