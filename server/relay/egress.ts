// Egress limit of a node: reservations for destinations and players. New outputs queue; running outputs are not affected.

/** Bitrate of an output, kbps; 0 while unknown. */
export type Rate = () => number

export interface Egress {
  /** Reserves the current rate. @returns a function that releases it; null: the limit is reached */
  reserve(rate: Rate): (() => void) | null
}

/** A tenth is left for scenes above the average, and for network overhead. */
const usableShare = 0.9

/** @param kbpsMax limit of media to all destinations and players, kbps */
export function createEgress(kbpsMax: number): Egress {
  const reserved = new Map<symbol, Rate>()
  return {
    reserve(rate) {
      const used = [...reserved.values()].reduce((sum, one) => sum + one(), 0)
      if (used + rate() > kbpsMax * usableShare) return null
      const key = Symbol('reservation')
      reserved.set(key, rate)
      return () => void reserved.delete(key)
    },
  }
}
