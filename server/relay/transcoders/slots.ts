// Limit of concurrent transcoders on a node.

export interface Slots {
  /** @returns a function that releases the slot; null when all are in use */
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
