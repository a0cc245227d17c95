// Limit of concurrent transcoders on a node.

export interface Slots {
  /** @returns a function that releases the slot; null when all are in use */
  take(): (() => void) | null
  /** Maximum, and the number that is free now. */
  readonly state: { readonly max: number; readonly free: number }
}

export function slots(count: number): Slots {
  let free = count
  return {
    get state() {
      return { max: count, free }
    },
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
